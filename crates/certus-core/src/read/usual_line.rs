//! The usual line of a run, with single blanks and a short score: blanks found 64 bytes at a time, numbers read as words.

use super::digits::{Form, Window, rank, word};
use super::entry::{Doc, Entry, Id, Line};
use super::low_bytes::low_bytes;
use super::table::Seed;

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
    let rank = rank(window, c, d)?;
    let score = Form::of(window, d, e)?.score(window, d)?;
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
fn lowest_bits<const N: usize>(mut mask: u64) -> [usize; N] {
    std::array::from_fn(|_| {
        let bit = (mask | 1 << 63).trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        bit
    })
}
