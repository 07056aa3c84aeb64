//! Ranks and scores of usual lines, read as words of eight digits.

use super::numbers::{Scale, Score, eight_digits, sign};

/// What is looked at of a line: the bytes that hold its ends of columns, and those that a word or the end of the line
/// may reach.
pub(super) type Window = [u8; 128];

/// The eight bytes at a position up to 120 as a little-endian word.
#[inline(always)]
pub(super) fn word(window: &Window, at: usize) -> u64 {
    let bytes = window.get(at.min(120)..).and_then(<[u8]>::first_chunk);
    bytes.map_or(0, |&bytes| u64::from_le_bytes(bytes))
}

/// The bytes of up to eight digits as numbers from 0 to 9, the last at the top of the word; others have high bits.
#[derive(Clone, Copy)]
struct Digits(u64);

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
        eight_digits(self.0)
    }

    /// The number, if all bytes are digits.
    #[inline(always)]
    fn number(self) -> Option<u32> {
        if self.wrong() {
            return None;
        }
        Some(self.value() as u32)
    }
}

/// Bits above the first `len` bytes of a word, from 1 to 8.
#[inline(always)]
fn unused(len: usize) -> usize {
    64_usize.wrapping_sub(8 * len)
}

/// The rank between the blanks at `c` and `d`, none where it is no number of one to eight digits.
#[inline(always)]
pub(super) fn rank(window: &Window, c: usize, d: usize) -> Option<u32> {
    let len = d.wrapping_sub(c + 1);
    if len.wrapping_sub(1) >= 8 {
        return None;
    }
    Digits::of(word(window, c + 1), unused(len)).number()
}

/// A rank, and how the one after it is written.
#[derive(Default)]
pub(super) struct Rank {
    number: u32,
    /// From the blank before the rank to the one behind it.
    len: usize,
    /// The bytes of the next one, and which of a word they are.
    text: u64,
    mask: u64,
    /// What a step adds to them, and how many steps there are up to a last digit of 9.
    step: u64,
    left: u32,
}

impl Rank {
    /// The rank between the blanks at `c` and `d`, as of [`rank`]; quickly where it is one more than the rank before.
    #[inline(always)]
    pub fn next(&mut self, window: &Window, c: usize, d: usize) -> Option<u32> {
        let text = word(window, c + 1) & self.mask;
        if d.wrapping_sub(c) == self.len && text == self.text && self.left > 0 {
            self.number = self.number.wrapping_add(1);
            self.text = self.text.wrapping_add(self.step);
            self.left = self.left.wrapping_sub(1);
        } else {
            *self = Self::of(window, c, d)?;
        }
        Some(self.number)
    }

    #[inline(never)]
    fn of(window: &Window, c: usize, d: usize) -> Option<Self> {
        let number = rank(window, c, d)?;
        let len = d - c;
        let mask = u64::MAX >> unused(len - 1);
        let step = 1 << (8 * (len - 2));
        Some(Self {
            number,
            len,
            text: (word(window, c + 1) & mask).wrapping_add(step),
            mask,
            step,
            left: 9 - number % 10,
        })
    }
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
    sign: u64,
    decimals: usize,
    scale: Scale,
    /// What the digits before the point are multiplied with, where there are many.
    power: u64,
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
            sign: sign(negative),
            decimals,
            scale: Scale::of_digits(decimals),
            power: 10_u64.pow(decimals as u32),
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
        Some(if self.long {
            let whole = Digits::of(start, self.unused_whole);
            let decimals = word(window, d.wrapping_add(self.point & 15) + 1);
            let decimals = Digits::of(decimals, self.unused_decimals);
            if whole.wrong() || decimals.wrong() {
                return None;
            }
            let scaled = whole.value().wrapping_mul(self.power);
            let all = scaled.wrapping_add(decimals.value());
            Score::whole(self.negative, all, self.decimals)
        } else {
            // The digits behind the point move to its place.
            let behind = word(window, from + 1);
            let digits = Digits::of(start & self.whole | behind & !self.whole, self.unused);
            if digits.wrong() || self.negative && digits.0 == 0 {
                return None;
            }
            Score::digits(self.sign, digits.0.swap_bytes(), self.scale)
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::numbers;
    use super::*;
    use crate::fuzz::Random;

    #[test]
    fn a_rank_is_that_of_its_digits_whatever_the_one_before() {
        let mut random = Random::new(5);
        let (mut before, mut number) = (Rank::default(), 0_u64);
        for _ in 0..100_000 {
            number += 1;
            if random.odds(12) {
                let bits = random.below(30);
                number = random.below(1 << bits);
            }
            let mut text = format!(" {number} ").into_bytes();
            if random.odds(12) {
                let at = 1 + random.upto(text.len() - 3);
                text[at] = b"0:/a"[random.upto(3)];
            }
            let d = text.len() - 1;
            let wanted = numbers::rank(&text[1..d]).filter(|_| d <= 9);
            text.resize(size_of::<Window>(), b'7');
            assert_eq!(before.next(text.first_chunk().unwrap(), 0, d), wanted);
        }
    }
}
