//! The usual line of a run, with single blanks and a short score: blanks found 64 bytes at a time, numbers read as words.

use super::line::{Doc, Entry, Id, Line};
use super::low_bytes::low_bytes;
use super::numbers::Score;
use super::table::Seed;

/// What is looked at of a line: 64 bytes, and those that a word or the end of the line may reach.
pub(super) type Window = [u8; 96];

/// The line at `at` if it is a usual one: under 63 bytes, six columns between single blanks of one kind, a bare line
/// feed, a whole number as the rank, a score with a point and no exponent, up to 7 digits before the point and 8 after.
/// `None` for any other.
#[inline(always)]
pub(super) fn usual_line(text: &[u8], at: usize, number: u64, seed: Seed) -> Option<(Line, usize)> {
    let window: &Window = text.get(at..)?.first_chunk()?;
    let low = low_bytes(window.first_chunk()?);
    let [a, b, c, d, e, last] = lowest_bits(low);
    let all = window[a] & window[b] & window[c] & window[d] & window[e];
    let any = window[a] | window[b] | window[c] | window[d] | window[e];
    let line = (2_u64 << (last & 63)).wrapping_sub(1);
    let empty_columns = low & (low << 1 | 1) & line;
    let ends = last < LONGEST && window[last] == b'\n';
    if !ends || all != any || !matches!(all, b' ' | b'\t') || empty_columns != 0 {
        return None;
    }
    let (rank, score) = usual_numbers(window, c, d, e)?;
    let id = |from: usize, to: usize| {
        let len = to.wrapping_sub(from);
        let unused = 64_usize.wrapping_sub(8 * len.min(8));
        Id {
            start: at + from,
            len,
            head: word(window, from) << (unused & 63),
        }
    };
    let line = Line {
        query: id(0, a),
        tag: id(e + 1, last),
        entry: Entry {
            number,
            doc: Doc::new(id(b + 1, c), text, seed),
            rank: Some(rank),
            score,
        },
    };
    Some((line, at + last + 1))
}

/// Bytes of a line, with its end, from which on it is no usual one.
const LONGEST: usize = 63;

/// Positions of the lowest bits, 63 where there are no more.
#[inline(always)]
pub(super) fn lowest_bits<const N: usize>(mut mask: u64) -> [usize; N] {
    std::array::from_fn(|_| {
        let bit = (mask | 1 << 63).trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        bit
    })
}

/// The eight bytes at a position up to 88 as a little-endian word.
#[inline(always)]
pub(super) fn word(window: &Window, at: usize) -> u64 {
    let bytes = window.get(at..).and_then(<[u8]>::first_chunk);
    bytes.map_or(0, |&bytes| u64::from_le_bytes(bytes))
}

/// The bytes of up to eight digits as numbers from 0 to 9, the last at the top of the word; others have high bits.
#[derive(Clone, Copy)]
struct Digits(u64);

impl Digits {
    /// The first `len` bytes of a word, from 1 to 8.
    #[inline(always)]
    fn of(word: u64, len: usize) -> Self {
        let unused = 64_usize.wrapping_sub(8 * len);
        Self((word ^ 0x3030_3030_3030_3030) << (unused & 63))
    }

    /// High bits of the bytes that are none.
    #[inline(always)]
    fn wrong(self) -> u64 {
        self.0.wrapping_add(0x7676_7676_7676_7676) | self.0
    }

    #[inline(always)]
    fn number(self) -> u64 {
        // Numbers of two digits, of four, of eight: each product adds a part to the one beside it.
        let x = (self.0.wrapping_mul(10 << 8 | 1) >> 8) & 0x00ff_00ff_00ff_00ff;
        let x = (x.wrapping_mul(100 << 16 | 1) >> 16) & 0x0000_ffff_0000_ffff;
        x.wrapping_mul(10_000 << 32 | 1) >> 32
    }
}

/// The rank between the blanks at `c` and `d` and the score between those at `d` and `e`, all below 64.
#[inline(always)]
pub(super) fn usual_numbers(window: &Window, c: usize, d: usize, e: usize) -> Option<(u32, Score)> {
    let length = d.wrapping_sub(c + 1);
    if length.wrapping_sub(1) >= 8 {
        return None;
    }
    let rank = Digits::of(word(window, c + 1), length);
    let negative = *window.get(d + 1)? == b'-';
    let from = d + 1 + usize::from(negative);
    let first = word(window, from);
    let points = first ^ 0x2e2e_2e2e_2e2e_2e2e;
    let points = points.wrapping_sub(0x0101_0101_0101_0101) & !points & 0x8080_8080_8080_8080;
    let whole = points.trailing_zeros() as usize / 8;
    let decimals = e.wrapping_sub(from + whole + 1);
    if points == 0 || decimals > 8 || whole + decimals == 0 {
        return None;
    }
    let (wrong, mantissa) = if whole + decimals < 8 {
        // The digits behind the point move to its place.
        let before = (1 << ((8 * whole) & 63)) - 1;
        let digits = Digits::of(first & before | first >> 8 & !before, whole + decimals);
        (digits.wrong(), digits.number())
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
        let some = |word, len| {
            if len == 0 {
                Digits(0)
            } else {
                Digits::of(word, len)
            }
        };
        let fraction = some(word(window, from + whole + 1), decimals);
        let first = some(first, whole);
        let number = first.number().wrapping_mul(*WHOLE.get(decimals)?);
        (
            first.wrong() | fraction.wrong(),
            number.wrapping_add(fraction.number()),
        )
    };
    if (wrong | rank.wrong()) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    Some((
        rank.number() as u32,
        Score::short(negative, mantissa, decimals)?,
    ))
}
