//! The usual line of a run, with single blanks and a short score, read by words of eight bytes.

use super::line::{Id, Line};
use super::numbers::{self, POWERS, Score};
use super::table::hash_of;

/// What is looked at of a line: 64 bytes, and those that the last word may reach.
type Window = [u8; 80];

/// The line at `at` if it is a usual one: under 63 bytes, six columns between single blanks of one kind, a bare line
/// feed, a score with a point and no exponent, up to 7 digits before the point and 8 after. `None` for any other.
#[inline(always)]
pub(crate) fn usual_line(text: &[u8], at: usize, number: u64) -> Option<(Line, usize)> {
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
        numbers::rank(text.get(at + ends[2] as usize + 1..at + ends[3] as usize)?)
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
