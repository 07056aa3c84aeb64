//! Ranks and scores of usual lines, read as words of eight digits.

use super::numbers::{POWERS, Score};

/// What is looked at of a line: the bytes that hold its ends of columns, and those that a word or the end of the line
/// may reach.
pub(super) type Window = [u8; 128];

/// The eight bytes at a position up to 120 as a little-endian word.
#[inline(always)]
pub(super) fn word(window: &Window, at: usize) -> u64 {
    let bytes = window.get(at..).and_then(<[u8]>::first_chunk);
    bytes.map_or(0, |&bytes| u64::from_le_bytes(bytes))
}

/// The bytes of up to eight digits as numbers from 0 to 9, the last at the top of the word; others have high bits.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Digits(u64);

const LAST: u32 = 56;

impl Digits {
    /// The first bytes of a word, all but the `unused` bits at its top.
    #[inline(always)]
    fn of(word: u64, unused: usize) -> Self {
        Self((word ^ 0x3030_3030_3030_3030) << (unused & 63))
    }

    /// Whether not all bytes are digits.
    #[inline(always)]
    fn wrong(self) -> bool {
        (self.0.wrapping_add(0x7676_7676_7676_7676) | self.0) & 0x8080_8080_8080_8080 != 0
    }

    #[inline(always)]
    fn value(self) -> u64 {
        // Numbers of two digits, of four, of eight: each product adds a part to the one beside it.
        let x = (self.0.wrapping_mul(10 << 8 | 1) >> 8) & 0x00ff_00ff_00ff_00ff;
        let x = (x.wrapping_mul(100 << 16 | 1) >> 16) & 0x0000_ffff_0000_ffff;
        x.wrapping_mul(10_000 << 32 | 1) >> 32
    }

    /// The number, if all bytes are digits.
    #[inline(always)]
    pub fn number(self) -> Option<u32> {
        if self.wrong() {
            return None;
        }
        Some(self.value() as u32)
    }

    /// The digits of the number after this one, and something that is no number's where the last digit is 9.
    #[inline(always)]
    pub fn next(self) -> Self {
        Self(self.0.wrapping_add(1 << LAST))
    }

    /// Whether these are the digits that [`next`](Self::next) gave.
    #[inline(always)]
    pub fn follow(self, next: Self) -> bool {
        self == next && self.0 < 10 << LAST
    }
}

/// Bits above the first `len` bytes of a word, from 1 to 8.
#[inline(always)]
fn unused(len: usize) -> usize {
    64_usize.wrapping_sub(8 * len)
}

/// The rank between the blanks at `c` and `d`, none where it has not from one to eight bytes.
#[inline(always)]
pub(super) fn rank_digits(window: &Window, c: usize, d: usize) -> Option<Digits> {
    let len = d.wrapping_sub(c + 1);
    if len.wrapping_sub(1) >= 8 {
        return None;
    }
    Some(Digits::of(word(window, c + 1), unused(len)))
}

/// How a score is written: sign, digits before the point and behind it; up to 7 and up to 8, at least one in all.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Form {
    /// From the blank before the score to the one behind it.
    len: usize,
    /// From the blank to the first digit, and to the point.
    first: usize,
    point: usize,
    /// Whether one word does not hold all digits.
    long: bool,
    /// The bytes before the point, in a word that starts with the first digit.
    whole: u64,
    /// Unused bits of a word of all digits; of the words before the point and behind it.
    unused: usize,
    unused_whole: usize,
    unused_decimals: usize,
    negative: bool,
    divisor: f64,
    /// What the digits before the point are multiplied with, where there are many.
    scale: u64,
}

impl Form {
    /// The form of the score between the blanks at `d` and `e`, both below 96, if it has one of these forms.
    #[inline(never)]
    pub fn of(window: &Window, d: usize, e: usize) -> Option<Self> {
        let negative = *window.get(d + 1)? == b'-';
        let first = 1 + usize::from(negative);
        let text = window.get(d + first..e)?;
        let whole = text.iter().position(|&byte| byte == b'.')?;
        let decimals = text.len() - 1 - whole;
        if whole > 7 || decimals > 8 || whole + decimals == 0 {
            return None;
        }
        let divisor = *POWERS.get(decimals)?;
        Some(Self {
            len: e - d,
            first,
            point: first + whole,
            long: whole + decimals > 8,
            whole: (1 << (8 * whole)) - 1,
            unused: unused(whole + decimals),
            unused_whole: unused(whole),
            unused_decimals: unused(decimals),
            negative,
            divisor,
            scale: divisor as u64,
        })
    }

    /// Whether the score between the blanks at `d` and `e` has this form, if it has any.
    #[inline(always)]
    pub fn fits(&self, window: &Window, d: usize, e: usize) -> bool {
        let byte = |at: usize| window.get(d.wrapping_add(at & 15)).copied();
        e.wrapping_sub(d) == self.len
            && byte(self.point) == Some(b'.')
            && (!self.negative || byte(1) == Some(b'-'))
    }

    /// The score of this form behind the blank at `d`, if all that must be digits are.
    #[inline(always)]
    pub fn score(&self, window: &Window, d: usize) -> Option<Score> {
        let from = d.wrapping_add(self.first & 3);
        let start = word(window, from);
        let digits = if self.long {
            let whole = Digits::of(start, self.unused_whole);
            let decimals = word(window, d.wrapping_add(self.point & 15) + 1);
            let decimals = Digits::of(decimals, self.unused_decimals);
            if whole.wrong() || decimals.wrong() {
                return None;
            }
            let scaled = whole.value().wrapping_mul(self.scale);
            scaled.wrapping_add(decimals.value())
        } else {
            // The digits behind the point move to its place.
            let behind = word(window, from + 1);
            let digits = Digits::of(start & self.whole | behind & !self.whole, self.unused);
            if digits.wrong() {
                return None;
            }
            digits.value()
        };
        Some(Score::short(self.negative, digits, self.divisor))
    }
}
