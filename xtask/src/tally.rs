//! Counting tests in what the test programs print.

/// What one step reported.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    /// Tests that exist and did not run: cargo's `ignored`, Node's `skipped` and `todo`.
    pub(crate) left_out: u64,
    /// Whether the program ended well.
    pub(crate) succeeded: bool,
}

impl Tally {
    /// Takes in one line of output: `test result: ok. 3 passed; 0 failed; 1 ignored; …` of cargo and of
    /// wasm-bindgen's runner, `ℹ pass 3` of Node's spec reporter. Every other line counts for nothing.
    pub(crate) fn read(&mut self, line: &str) {
        let line = line.trim();
        if let Some((_, counts)) = line
            .strip_prefix("test result: ")
            .and_then(|rest| rest.split_once(". "))
        {
            for count in counts.split(';') {
                self.add(count.split_whitespace().rev());
            }
        } else if let Some(count) = line.strip_prefix("ℹ ") {
            self.add(count.split_whitespace());
        }
    }

    /// Adds a count given as its name and its number, and nothing more.
    fn add<'a>(&mut self, mut words: impl Iterator<Item = &'a str>) {
        let (Some(name), Some(number), None) = (words.next(), words.next(), words.next()) else {
            return;
        };
        let Ok(number) = number.parse::<u64>() else {
            return;
        };
        match name {
            "passed" | "pass" => self.passed += number,
            "failed" | "fail" | "cancelled" => self.failed += number,
            "ignored" | "skipped" | "todo" => self.left_out += number,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    fn check(lines: &[&str], passed: u64, failed: u64, left_out: u64) {
        let mut tally = Tally::default();
        for line in lines {
            tally.read(line);
        }
        assert_eq!(
            tally,
            Tally {
                passed,
                failed,
                left_out,
                succeeded: false
            }
        );
    }

    #[test]
    fn counts_what_cargo_prints() {
        check(
            &[
                "running 4 tests",
                "test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 5 filtered out; finished in 0.00s",
                "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s",
            ],
            5,
            1,
            1,
        );
    }

    #[test]
    fn counts_what_node_prints() {
        check(
            &[
                "ℹ tests 4",
                "ℹ pass 2",
                "ℹ fail 1",
                "ℹ cancelled 0",
                "ℹ skipped 1",
                "ℹ todo 0",
            ],
            2,
            1,
            1,
        );
    }

    #[test]
    fn counts_nothing_else() {
        check(
            &[
                "3 passed",
                "✔ pass 3 (0.5ms)",
                "ℹ duration_ms 12.5",
                "ℹ pass on 3 things",
            ],
            0,
            0,
            0,
        );
    }
}
