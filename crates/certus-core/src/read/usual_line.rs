//! The usual line of a run, with single blanks and a short score: blanks found 64 bytes at a time, numbers read as words.

use super::line::{Id, Line};
use super::low_bytes::low_bytes;
use super::numbers::Score;
use super::table::Seed;

/// What is looked at of a line: 64 bytes, and those that the last word may reach.
type Window = [u8; 80];

/// The line at `at` if it is a usual one: under 63 bytes, six columns between single blanks of one kind, a bare line
/// feed, a score with a point and no exponent, up to 7 digits before the point and 8 after. `None` for any other.
#[inline(always)]
pub(crate) fn usual_line(text: &[u8], at: usize, number: u64, seed: Seed) -> Option<(Line, usize)> {
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
    let score = usual_score(window, d + 1, e)?;
    let length = d.wrapping_sub(c + 1);
    if length > 8 {
        return None;
    }
    let rank = digits(word(window, c + 1), length).map(|rank| rank as u32);
    let id = |from: usize, to: usize| {
        let len = to.wrapping_sub(from);
        let unused = 64_usize.wrapping_sub(8 * len.min(8));
        Id {
            start: at + from,
            len,
            head: word(window, from) << (unused & 63),
            hash: 0,
        }
    };
    let (query, doc, tag) = (id(0, a), id(b + 1, c), id(e + 1, last));
    let doc = doc.hashed(text, seed);
    Some((
        Line {
            number,
            query,
            doc,
            tag,
            rank,
            score,
        },
        at + last + 1,
    ))
}

/// Bytes of a line, with its end, from which on it is no usual one.
const LONGEST: usize = 63;

/// Positions of the lowest six bits, 64 where there are no more.
#[inline(always)]
fn lowest_bits(mut mask: u64) -> [usize; 6] {
    let mut next = || {
        let bit = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        bit
    };
    [next(), next(), next(), next(), next(), next()]
}

/// The eight bytes at a position up to 72 as a little-endian word.
#[inline(always)]
fn word(window: &Window, at: usize) -> u64 {
    let bytes = window.get(at..).and_then(<[u8]>::first_chunk);
    bytes.map_or(0, |&bytes| u64::from_le_bytes(bytes))
}

/// The number that the first `len` bytes of a word, from 1 to 8, spell if all are digits.
#[inline(always)]
fn digits(word: u64, len: usize) -> Option<u64> {
    // The digits to the top of the word, zeros before them.
    let x = (word ^ 0x3030_3030_3030_3030) << (64_usize.wrapping_sub(8 * len) & 63);
    if (x.wrapping_add(0x7676_7676_7676_7676) | x) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    // Numbers of two digits, of four, of eight: each product adds a part to the one beside it.
    let x = (x.wrapping_mul(10 << 8 | 1) >> 8) & 0x00ff_00ff_00ff_00ff;
    let x = (x.wrapping_mul(100 << 16 | 1) >> 16) & 0x0000_ffff_0000_ffff;
    Some(x.wrapping_mul(10_000 << 32 | 1) >> 32)
}

#[inline(always)]
fn usual_score(window: &Window, from: usize, to: usize) -> Option<Score> {
    let negative = window[from] == b'-';
    let from = from + usize::from(negative);
    let first = word(window, from);
    let points = first ^ 0x2e2e_2e2e_2e2e_2e2e;
    let points = points.wrapping_sub(0x0101_0101_0101_0101) & !points & 0x8080_8080_8080_8080;
    let whole = points.trailing_zeros() as usize / 8;
    let decimals = to.wrapping_sub(from + whole + 1);
    if points == 0 || decimals > 8 || whole + decimals == 0 {
        return None;
    }
    let mantissa = if whole + decimals < 8 {
        let before = (1 << ((8 * whole) & 63)) - 1;
        digits(first & before | first >> 8 & !before, whole + decimals)?
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
        let some = |word, len| if len == 0 { Some(0) } else { digits(word, len) };
        let fraction = some(word(window, from + whole + 1), decimals)?;
        some(first, whole)?
            .wrapping_mul(*WHOLE.get(decimals)?)
            .wrapping_add(fraction)
    };
    Score::short(negative, mantissa, decimals)
}
