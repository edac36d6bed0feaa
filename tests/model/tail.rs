//! M2: the tail of a terminal's output, and base64.

const WINDOW: usize = 4096;

/// The last line that says anything in the last 4 KiB.
pub fn tail(output: &[u8]) -> Option<String> {
    let mut bytes = &output[output.len().saturating_sub(WINDOW)..];
    if output.len() > WINDOW {
        // The cut may have gone through a character.
        while let Some((first, rest)) = bytes.split_first()
            && (first & 0xC0) == 0x80
        {
            bytes = rest;
        }
    }
    let text = decode(bytes);
    text.split(['\r', '\n'])
        .map(|line| without_escapes(line).trim().to_owned())
        .rfind(|line| !line.is_empty())
}

/// UTF-8; a character that is not complete yet at the end is not there yet.
fn decode(bytes: &[u8]) -> String {
    let complete = match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        Err(_) => {
            let mut end = bytes.len();
            for cut in 1..=3.min(bytes.len()) {
                let rest = &bytes[bytes.len() - cut..];
                if std::str::from_utf8(rest)
                    .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
                {
                    end = bytes.len() - cut;
                }
            }
            &bytes[..end]
        }
        Ok(_) => bytes,
    };
    String::from_utf8_lossy(complete).into_owned()
}

fn without_escapes(line: &str) -> String {
    let mut kept = String::new();
    let mut chars = line.chars().peekable();
    while let Some(char) = chars.next() {
        if char != '\u{1b}' {
            kept.push(char);
            continue;
        }
        match chars.next() {
            Some('[') => {
                for next in chars.by_ref() {
                    if ('\u{40}'..='\u{7e}').contains(&next) {
                        break;
                    }
                }
            }
            Some(']' | 'P' | 'X' | '^' | '_') => {
                while let Some(next) = chars.next() {
                    if next == '\u{7}' {
                        break;
                    }
                    if next == '\u{1b}' {
                        if chars.peek() == Some(&'\\') {
                            chars.next();
                        }
                        break;
                    }
                }
            }
            Some(' '..='/') => {
                for next in chars.by_ref() {
                    if !(' '..='/').contains(&next) {
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    kept
}

/// Standard alphabet, padded; `None` when it is not base64.
pub fn base64(text: &str) -> Option<Vec<u8>> {
    let bytes = text.as_bytes();
    if !bytes.len().is_multiple_of(4) {
        return None;
    }
    let mut out = Vec::new();
    for (at, four) in bytes.chunks(4).enumerate() {
        let last = (at + 1) * 4 == bytes.len();
        let pad = four.iter().rev().take_while(|byte| **byte == b'=').count();
        if pad > 2 || (pad > 0 && !last) {
            return None;
        }
        let mut bits: u32 = 0;
        for byte in &four[..4 - pad] {
            bits = (bits << 6) | u32::from(sextet(*byte)?);
        }
        bits <<= 6 * pad;
        let three = [(bits >> 16) as u8, (bits >> 8) as u8, bits as u8];
        out.extend_from_slice(&three[..3 - pad]);
    }
    Some(out)
}

fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}
