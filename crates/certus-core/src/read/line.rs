//! The lines of a run. The usual one, with single blanks and a short score, is read by words of eight bytes.

use super::blocks::too_long;
use super::error::show;
use super::fields::{self, POWERS, Score};
use super::parallel::BlockError;
use super::table::{hash_of, head};
use super::{Dialect, MAX_LINE};

/// An id: where it stands in a text, with its first bytes and its hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Id {
    pub start: usize,
    pub len: usize,
    pub head: u64,
    pub hash: u64,
}

impl Id {
    #[inline]
    pub fn new(text: &[u8], start: usize, end: usize) -> Self {
        let id = text.get(start..end).unwrap_or(&[]);
        let head = head(id);
        Self {
            start,
            len: id.len(),
            head,
            hash: hash_of(id, head),
        }
    }

    #[inline]
    pub fn of(self, text: &[u8]) -> &[u8] {
        text.get(self.start..self.start + self.len).unwrap_or(&[])
    }

    /// Whether both are the same id.
    #[inline(always)]
    pub fn same(self, other: Self, text: &[u8]) -> bool {
        self.len == other.len
            && self.head == other.head
            && (self.len <= 8 || self.of(text) == other.of(text))
    }
}

/// One line: its number in the block, and what stands in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub number: u64,
    pub query: Id,
    pub doc: Id,
    pub tag: (usize, usize),
    pub rank: Option<u32>,
    pub score: Score,
}

/// Calls `with` for every line of a block; returns how many lines it has.
#[inline(always)]
pub(crate) fn parse_lines(
    block: &[u8],
    dialect: Dialect,
    mut with: impl FnMut(Line) -> Result<(), BlockError>,
) -> Result<u64, BlockError> {
    let (mut at, mut number) = (0, 0);
    while at < block.len() {
        number += 1;
        let usual = if dialect.comments {
            None
        } else {
            usual_line(block, at, number)
        };
        let (line, next) = match usual {
            Some(found) => found,
            None => match fields::skip_line(block, at, dialect.comments) {
                Some(next) => {
                    at = next;
                    continue;
                }
                None => any_line(block, at, number, dialect)?,
            },
        };
        // Called in one place only, so that it becomes part of the loop.
        with(line)?;
        at = next;
    }
    Ok(number)
}

/// Any valid line, and the position after it.
#[cold]
#[inline(never)]
fn any_line(
    block: &[u8],
    at: usize,
    number: u64,
    dialect: Dialect,
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
    let score = fields::score(text).ok_or_else(|| fail(wrong_score(text)))?;
    if !dialect.lenient && fields::is_rounded(text, score.value) {
        return Err(fail(rounded_score(text, score.value)));
    }
    let line = Line {
        number,
        query: Id::new(block, query.0, query.1),
        doc: Id::new(block, doc.0, doc.1),
        tag,
        rank: fields::rank(column(rank)),
        score,
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

/// What is looked at of a line: 64 bytes, and those that the last word may reach.
type Window = [u8; 80];

/// The line at `at` if it is a usual one: under 63 bytes, six columns between single blanks of one kind, a bare line
/// feed, a score with a point and no exponent, up to 7 digits before the point and 8 after. `None` for any other.
#[inline(always)]
fn usual_line(text: &[u8], at: usize, number: u64) -> Option<(Line, usize)> {
    let window: &Window = text.get(at..)?.first_chunk()?;
    let (first, rest) = window.as_chunks::<8>().0.split_at(5);
    let mut low = low_mask(first);
    let mut ends = lowest_bits(low);
    if ends[5] == NONE {
        low |= low_mask(rest.get(..3)?) << 40;
        ends = lowest_bits(low);
    }
    let last = ends[5];
    let [a, b, c, d, e] =
        [ends[0], ends[1], ends[2], ends[3], ends[4]].map(|end| byte(window, end));
    let blanks = a & b & c & d & e;
    let line = (2_u64 << last).wrapping_sub(1);
    let empty_columns = low & (low << 1 | 1) & line;
    let one_kind = (a | b | c | d | e) == blanks && matches!(blanks, b' ' | b'\t');
    if last == NONE || byte(window, last) != b'\n' || !one_kind || empty_columns != 0 {
        return None;
    }
    let score = usual_score(window, ends[3] + 1, ends[4])?;
    let length = ends[3] - ends[2] - 1;
    let rank = if length > 8 {
        fields::rank(text.get(at + ends[2] as usize + 1..at + ends[3] as usize)?)
    } else {
        digits(word(window, ends[2] + 1), length).map(|rank| rank as u32)
    };
    let id = |from: u32, to: u32| {
        let (start, len) = (at + from as usize, (to - from) as usize);
        let head = word(window, from)
            & if len < 8 {
                (1 << (8 * len)) - 1
            } else {
                u64::MAX
            };
        (start, len, head)
    };
    let (start, len, head) = id(0, ends[0]);
    let query = Id {
        start,
        len,
        head,
        hash: 0,
    };
    let (start, len, head) = id(ends[1] + 1, ends[2]);
    let doc = Id {
        start,
        len,
        head,
        hash: hash_of(text.get(start..start + len)?, head),
    };
    let tag = (at + ends[4] as usize + 1, at + last as usize);
    Some((
        Line {
            number,
            query,
            doc,
            tag,
            rank,
            score,
        },
        at + last as usize + 1,
    ))
}

/// One bit for each byte of some words: whether it is at most 0x20.
#[inline(always)]
fn low_mask(words: &[[u8; 8]]) -> u64 {
    let mut mask = 0;
    for bytes in words {
        let x = u64::from_le_bytes(*bytes);
        let low =
            !(((x & 0x7f7f_7f7f_7f7f_7f7f) + 0x5f5f_5f5f_5f5f_5f5f) | x) & 0x8080_8080_8080_8080;
        // Bit 8k + 7 times bit 57 - 7k falls on bit 64 + k, and no other product reaches the eight bits from 64 on.
        let bits = (u128::from(low) * 0x0204_0810_2040_8100) >> 64;
        // Pushed in from the top: a chain, as the compiler's vector code for a plain sum of these is slower.
        mask = mask >> 8 | (bits as u64) << 56;
    }
    mask >> (64 - 8 * words.len())
}

const NONE: u32 = 63;

/// Positions of the lowest six bits below 63, `NONE` where there are no more.
#[inline(always)]
fn lowest_bits(mut mask: u64) -> [u32; 6] {
    [(); 6].map(|()| {
        let bit = (mask | 1 << NONE).trailing_zeros();
        mask &= mask.wrapping_sub(1);
        bit
    })
}

#[inline(always)]
fn byte(window: &Window, at: u32) -> u8 {
    window[at as usize & 63]
}

/// The eight bytes at a position below 64 as a little-endian word.
#[inline(always)]
fn word(window: &Window, at: u32) -> u64 {
    let bytes = window.get(at as usize & 63..).and_then(<[u8]>::first_chunk);
    bytes.map_or(0, |&bytes| u64::from_le_bytes(bytes))
}

/// The number that the first `len` (at most 8) bytes of a word spell, if all are digits; 0 for none.
#[inline(always)]
fn digits(word: u64, len: u32) -> Option<u64> {
    if len == 0 {
        return Some(0);
    }
    // The digits to the top of the word, zeros before them; then pairs, and all four of them at once.
    let x = (word ^ 0x3030_3030_3030_3030) << (64 - 8 * len);
    if (x.wrapping_add(0x7676_7676_7676_7676) | x) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    let x = x.wrapping_mul(10).wrapping_add(x >> 8) & 0x00ff_00ff_00ff_00ff;
    let high = (x & 0xffff)
        .wrapping_mul(1_000_000)
        .wrapping_add((x >> 16 & 0xffff).wrapping_mul(10_000));
    Some(
        high.wrapping_add((x >> 32 & 0xffff).wrapping_mul(100))
            .wrapping_add(x >> 48),
    )
}

#[inline(always)]
fn usual_score(window: &Window, from: u32, to: u32) -> Option<Score> {
    let negative = byte(window, from) == b'-';
    let from = from + u32::from(negative);
    let first = word(window, from);
    let points = first ^ 0x2e2e_2e2e_2e2e_2e2e;
    let points = points.wrapping_sub(0x0101_0101_0101_0101) & !points & 0x8080_8080_8080_8080;
    let whole = points.trailing_zeros() / 8;
    let decimals = to.wrapping_sub(from + whole + 1);
    if points == 0 || decimals > 8 || whole + decimals == 0 {
        return None;
    }
    // At most 15 digits: the mantissa is exact, so is the power of ten, and the division rounds once.
    let fraction = word(window, from + whole + 1);
    let mantissa = if whole + decimals <= 8 {
        digits(
            first & ((1 << (8 * whole)) - 1) | fraction << (8 * whole),
            whole + decimals,
        )?
    } else {
        const WHOLE: [u64; 9] = [
            1,
            10,
            100,
            1_000,
            10_000,
            100_000,
            1_000_000,
            10_000_000,
            100_000_000,
        ];
        digits(first, whole)? * *WHOLE.get(decimals as usize)? + digits(fraction, decimals)?
    };
    let value = mantissa as i64 as f64 / *POWERS.get(decimals as usize)?;
    Some(Score {
        value: if negative && mantissa != 0 {
            -value
        } else {
            value
        },
        long: None,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const PAD: [u8; 80] = [b'7'; 80];

    type Read = (Line, usize);

    fn both(line: &str) -> (Option<Read>, Result<Read, BlockError>) {
        let text = [line.as_bytes(), &PAD].concat();
        let usual = usual_line(&text, 0, 1).map(|(line, next)| {
            let query = Id {
                hash: Id::new(&text, line.query.start, line.query.start + line.query.len).hash,
                ..line.query
            };
            (Line { query, ..line }, next)
        });
        (usual, any_line(&text, 0, 1, Dialect::default()))
    }

    #[test]
    fn the_usual_line_is_read_as_any_other() {
        let mut state = 1_u64;
        let mut below = |n: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
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
                    quick.0.score.value.to_bits(),
                    (columns[4].parse::<f64>().unwrap() + 0.0).to_bits()
                );
                usual += 1;
            }
        }
        assert!(usual > 20_000, "{usual}");
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
