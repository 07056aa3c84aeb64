//! The lines of a run.

use super::blocks::too_long;
use super::entry::{Doc, Entry, Id, Line, Lines};
use super::error::show;
use super::fields;
use super::next_line::Before;
use super::numbers;
use super::parallel::BlockError;
use super::table::Seed;
use super::usual_line::usual_line;
use super::{Dialect, MAX_LINE};

/// Hands on every line of a block; returns how many lines it has.
#[inline(always)]
pub(crate) fn parse_lines(
    block: &[u8],
    dialect: Dialect,
    lines: &mut impl Lines,
) -> Result<u64, BlockError> {
    let seed = Seed::get();
    let (mut at, mut number) = (0, 0_u64);
    let mut before = Before::default();
    while at < block.len() {
        number = number.wrapping_add(1);
        at = match before.next_entry(block, at, number, seed, lines) {
            Some(next) => next,
            None => {
                let (line, next) = other_line(block, at, number, dialect, seed, &mut before)?;
                if let Some(line) = line {
                    lines.query(line.query, line.tag)?;
                    lines.entry(line.entry);
                }
                next
            }
        };
    }
    Ok(number)
}

/// The line at `at`, none where it is blank, and the position after it; it becomes the line before the next one.
#[inline(never)]
fn other_line(
    block: &[u8],
    at: usize,
    number: u64,
    dialect: Dialect,
    seed: Seed,
    before: &mut Before,
) -> Result<(Option<Line>, usize), BlockError> {
    *before = Before::default();
    let usual = match usual_line(block, at, number, seed) {
        Some(usual) if !dialect.comments => usual,
        _ => match fields::skip_line(block, at, dialect.comments) {
            Some(next) => return Ok((None, next)),
            None => any_line(block, at, number, dialect, seed)?,
        },
    };
    let (line, next) = usual;
    *before = Before::of(block, at, &line, next);
    Ok((Some(line), next))
}

/// Any valid line, and the position after it.
fn any_line(
    block: &[u8],
    at: usize,
    number: u64,
    dialect: Dialect,
    seed: Seed,
) -> Result<(Line, usize), BlockError> {
    let fail = |what| (Some(number), what);
    let (found, next) = fields::columns::<6>(block, at, dialect.lenient).map_err(|n| {
        fail(fields::wrong_columns(
            block,
            at,
            n,
            6,
            "query Q0 document rank score tag",
        ))
    })?;
    if next - at > MAX_LINE {
        return Err(fail(too_long()));
    }
    let column = |(from, to): (usize, usize)| block.get(from..to).unwrap_or(&[]);
    let [query, _, doc, rank, score, tag] = found;
    let text = column(score);
    let score = numbers::score(text).ok_or_else(|| fail(wrong_score(text)))?;
    if !dialect.lenient && numbers::is_rounded(text, score.value()) {
        return Err(fail(rounded_score(text, score.value())));
    }
    let line = Line {
        query: Id::new(block, query.0, query.1),
        tag: Id::new(block, tag.0, tag.1),
        entry: Entry {
            number,
            doc: Doc::new(Id::new(block, doc.0, doc.1), block, seed),
            rank: numbers::rank(column(rank)),
            score,
        },
    };
    Ok((line, next))
}

fn wrong_score(text: &[u8]) -> String {
    format!(
        "the score is {}; it must be a finite decimal number such as 12.5 or 1e-3",
        show(text)
    )
}

fn rounded_score(text: &[u8], value: f64) -> String {
    format!(
        "the score is {}, which a double would round to {value:.0}; subtract a common offset, or give ranks",
        show(text)
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const PAD: [u8; 128] = [b'7'; 128];

    type Read = (Line, usize);

    fn both(line: &str) -> (Option<Read>, Result<Read, BlockError>) {
        let text = [line.as_bytes(), &PAD].concat();
        let usual = usual_line(&text, 0, 1, Seed::get());
        (
            usual,
            any_line(&text, 0, 1, Dialect::default(), Seed::get()),
        )
    }

    #[test]
    fn the_usual_line_is_read_as_any_other() {
        let mut random = crate::fuzz::Random::new(1);
        let mut below = |n: u64| random.below(n);
        let mut usual = 0;
        for _ in 0..200_000 {
            let value = below(1 << 31) as f64 / 10_f64.powi(below(12) as i32)
                * [1.0, -1.0][below(2) as usize];
            let decimals = below(10) as usize;
            let name = |n: u64| {
                "aé7-x.Zyqw123\u{1}"[..]
                    .chars()
                    .take(n as usize % 14 + 1)
                    .collect::<String>()
            };
            let bits = below(31);
            let rank = below(1 << bits);
            let blank = ["\t", " ", " ", "  "][below(4) as usize];
            let columns = [
                name(below(14)),
                "Q0".into(),
                name(below(14)),
                rank.to_string(),
                format!("{value:.decimals$}"),
                name(below(5)),
            ];
            let (quick, slow) = both(&(columns.join(blank) + "\n"));
            if let Some(quick) = quick {
                assert_eq!(Ok(quick), slow, "{columns:?}");
                assert_eq!(
                    quick.0.entry.score.value().to_bits(),
                    (columns[4].parse::<f64>().unwrap() + 0.0).to_bits()
                );
                usual += 1;
            }
        }
        assert!(usual > 20_000, "{usual}");
    }

    #[derive(Default)]
    struct Entries(Vec<Entry>);

    impl Lines for Entries {
        fn query(&mut self, _: Id, _: Id) -> Result<(), BlockError> {
            Ok(())
        }

        fn entry(&mut self, entry: Entry) {
            self.0.push(entry);
        }
    }

    #[test]
    fn the_line_like_the_one_before_is_read_as_any_other() {
        let alike = |first: &str, second: &str| {
            let text = [first.as_bytes(), second.as_bytes(), &PAD].concat();
            let (at, seed) = (first.len(), Seed::get());
            let (line, next) = any_line(&text, 0, 1, Dialect::default(), seed).unwrap();
            assert_eq!(next, at);
            let mut entries = Entries::default();
            let found =
                Before::of(&text, 0, &line, next).next_entry(&text, at, 2, seed, &mut entries);
            if let Some(next) = found {
                let slow = any_line(&text, at, 2, Dialect::default(), seed);
                let slow = slow.map(|(line, next)| (vec![line.entry], next));
                assert_eq!(slow, Ok((entries.0, next)), "{second:?}");
            }
            found.is_some()
        };
        let first = "1 Q0 d 1 2.5 t\n";
        for second in [
            "1 Q0 d 1 2.5 t\n",
            "1 Q0 FBIS3-10082 1000 -12.345678 t\n",
            "1 Q0 clueweb09-en0000-12-12345 17 .5 t\n",
            "1 Q0 é 12345678 1234567.12345678 t\n",
            "1 Q0 a-document-with-a-name-that-is-longer-than-a-half 7 2.5 t\n",
            "1 Q0 d 2 -.5 t\n",
            "1 Q0 d 0 0.0 t\n",
        ] {
            assert!(alike(first, second), "{second:?}");
        }
        assert!(alike("1\tQ0\td\t1\t2.5\tt\n", "1\tQ0\te\t2\t2.25\tt\n"));
        assert!(alike("1 Q0 d x 2e0 t\n", "1 Q0 e 2 2.25 t\n"));
        for second in [
            "2 Q0 d 1 2.5 t\n",
            "1 Q1 d 1 2.5 t\n",
            "1 Q0 d 1 2.5 u\n",
            "1 Q0 d 1 2.5 tt\n",
            "1 Q0 d 1 2.5 t\r\n",
            "1 Q0 d 1 2.5 t \n",
            "1 Q0 d 1 2.5\tt\n",
            "1 Q0 d\t1 2.5 t\n",
            "1 Q0 d\u{1} 1 2.5 t\n",
            "1 Q0 d  2.5 t\n",
            "1 Q0  1 2.5 t\n",
            "1 Q0 d 1  t\n",
            "1 Q0 d 2.5 t\n",
            "1 Q0 2.5 t\n",
            "1 Q0 t\n",
            "1 Q0 d x 2.5 t\n",
            "1 Q0 d 123456789 2.5 t\n",
            "1 Q0 d 1 2 t\n",
            "1 Q0 d 1 2.5e3 t\n",
            "1 Q0 d 1 0.123456789 t\n",
            "1 Q0 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 1 2.5 t\n",
        ] {
            assert!(!alike(first, second), "{second:?}");
        }
        for other in [
            "1  Q0 d 1 2.5 t\n",
            " 1 Q0 d 1 2.5 t\n",
            "1 Q0 d 1 2.5 t\r\n",
        ] {
            assert!(!alike(other, other), "{other:?}");
        }
    }

    #[test]
    fn what_is_not_the_usual_line_is_left_to_the_other_way() {
        for line in [
            " 1 Q0 d 1 2.5 t\n",
            "1 Q0 d 1 2.5  t\n",
            "1 Q0 d 1 2.5\n",
            "1 Q0 d 1 2.5 t u\n",
            "1 Q0 d 1 2.5 t\r\n",
            "1 Q0 d 1 2.5 t \n",
            "1 Q0 d\0 1 2.5 t\n",
            "1 Q0 d 1 2.5\tt\n",
            "1 Q0 d 1 2 t\n",
            "1 Q0 d 1 1.2.3 t\n",
            "1 Q0 d 1 1,2. t\n",
            "1 Q0 d 1 . t\n",
            "1 Q0 d 1 -. t\n",
            "1 Q0 d 1 1.x t\n",
            "1 Q0 d 1 /.5 t\n",
            "1 Q0 d 1 1.: t\n",
            "1 Q0 d 1 1.5e3 t\n",
            "1 Q0 d 1 123456789.5 t\n",
            "1 Q0 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 1 2.5 t\n",
        ] {
            assert_eq!(both(line).0, None, "{line:?}");
        }
    }
}
