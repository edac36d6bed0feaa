//! The last line that a terminal's output says (rule M2).

use alloc::{string::String, vec::Vec};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::saved::{Pass, Saved};

/// How many of the last bytes count.
const WINDOW: usize = 4096;

/// The end of a terminal's output, as bytes: chunks may split a character or an escape sequence.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct OutputTail {
    /// At most twice the window, cut back to it when that is full.
    bytes: Vec<u8>,
}

impl OutputTail {
    /// Replaces the output by one that came in base64; what is none counts as omitted.
    pub(crate) fn replace_base64(&mut self, data: &str) {
        let mut output = Self::default();
        if output.append_base64(data) {
            *self = output;
        }
    }

    /// Appends output that came in base64; whether it was any.
    pub(crate) fn append_base64(&mut self, data: &str) -> bool {
        // Four characters hold three bytes, so a cut at a multiple of four keeps the meaning.
        let wanted = WINDOW / 3 * 4 + 4;
        let skipped = data.len().saturating_sub(wanted) / 4 * 4;
        let bytes = data.get(skipped..).and_then(|end| BASE64.decode(end).ok());
        if let Some(bytes) = &bytes {
            self.append(bytes);
        }
        bytes.is_some()
    }

    /// Appends output.
    pub(crate) fn append(&mut self, bytes: &[u8]) {
        let end = bytes.get(bytes.len().saturating_sub(WINDOW)..);
        self.bytes.extend_from_slice(end.unwrap_or_default());
        if self.bytes.len() > 2 * WINDOW {
            self.compact();
        }
    }

    /// Forgets all output.
    pub(crate) fn clear(&mut self) {
        self.bytes = Vec::new();
    }

    /// Keeps no more than the window, in no more memory.
    pub(crate) fn compact(&mut self) {
        let excess = self.bytes.len().saturating_sub(WINDOW);
        self.bytes.drain(..excess);
    }

    /// Keeps no more than the answer needs, as the terminal exited: the line that it is, or else what a line may
    /// have begun with, since output may come late.
    pub(crate) fn keep_last_line(&mut self) {
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let unfinished = || self.bytes.iter().rposition(is_end).map_or(0, |end| end + 1);
        let start = self
            .last_line_at()
            .map_or_else(unfinished, |(start, _)| start);
        self.bytes.drain(..start);
        self.bytes.shrink_to_fit();
    }

    /// The last line that says anything, without escape sequences, trimmed.
    pub(crate) fn last_line(&self) -> Option<String> {
        self.last_line_at().map(|(_, line)| line)
    }

    /// That line, and where it begins.
    fn last_line_at(&self) -> Option<(usize, String)> {
        let excess = self.bytes.len().saturating_sub(WINDOW);
        let window = self.bytes.get(excess..)?;
        let mut start = self.bytes.len() + 1;
        for line in window.rsplit(|byte| matches!(byte, b'\n' | b'\r')) {
            start = start.saturating_sub(line.len() + 1);
            let text = plain_text(line);
            if !text.is_empty() {
                return Some((start, text));
            }
        }
        None
    }
}

/// A character for each byte, since it may end in the middle of a character.
impl Saved for OutputTail {
    fn pass(&mut self, through: &mut Pass) {
        let text: String = self.bytes.iter().copied().map(char::from).collect();
        let mut text = text.into_boxed_str();
        through.text(&mut text);
        if through.is_reading() {
            let bytes: Option<Vec<u8>> = text.chars().map(|it| u8::try_from(it).ok()).collect();
            match bytes {
                Some(bytes) => self.bytes = bytes,
                None => through.fault(),
            }
        }
    }
}

/// The text of a line without escape sequences, trimmed.
fn plain_text(line: &[u8]) -> String {
    struct Text(String);
    impl vte::Perform for Text {
        fn print(&mut self, character: char) {
            self.0.push(character);
        }
        fn execute(&mut self, control: u8) {
            if control == b'\t' {
                self.0.push('\t');
            }
        }
    }
    let mut text = Text(String::new());
    vte::Parser::new().advance(&mut text, line);
    text.0.trim().into()
}
