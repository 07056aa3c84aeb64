//! The numbers in the columns of a line: scores, grades and ranks, read strictly.

/// A score as read: a number, how it is to be understood, and, when it has more digits than a double keeps apart, a
/// fingerprint of its decimal.
///
/// Two scores of one scale are in the order of their numbers, and equal only if these are: a decimal of up to 15 digits
/// is a whole number by a power of ten, both exact, and no two of them round to the same double.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Score {
    pub number: f64,
    pub scale: Scale,
    pub long: Option<u64>,
}

/// How many decimals a number has without its point, and whether its bits are its digits, a byte each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scale(u8);

impl Scale {
    /// Numbers as they are.
    pub const VALUES: Self = Self(0);
    const DIGITS: u8 = 1 << 7;

    pub fn of_digits(decimals: usize) -> Self {
        Self(decimals as u8 | Self::DIGITS)
    }
}

/// The exponent of a normal double that has digits for its other bits.
const NORMAL: u64 = 1 << 60;
const NEGATIVE: u64 = 1 << 63;

/// The bits of a double that has digits for its other bits; zero is never negative.
pub(super) fn sign(negative: bool) -> u64 {
    NORMAL | if negative { NEGATIVE } else { 0 }
}

/// The number of eight digits, the last at the top of the word.
#[inline(always)]
pub(super) fn eight_digits(digits: u64) -> u64 {
    // Numbers of two digits, of four, of eight: each product adds a part to the one beside it.
    let x = (digits.wrapping_mul(10 << 8 | 1) >> 8) & 0x00ff_00ff_00ff_00ff;
    let x = (x.wrapping_mul(100 << 16 | 1) >> 16) & 0x0000_ffff_0000_ffff;
    x.wrapping_mul(10_000 << 32 | 1) >> 32
}

impl Score {
    #[inline(always)]
    pub fn new(number: f64, scale: Scale) -> Self {
        Self {
            number,
            scale,
            long: None,
        }
    }

    /// A number as it is.
    pub fn of(number: f64, long: Option<u64>) -> Self {
        let score = Self::new(number + 0.0, Scale::VALUES);
        Self { long, ..score }
    }

    /// A decimal of at most 15 digits, without its point.
    #[inline(always)]
    pub fn whole(negative: bool, whole: u64, decimals: usize) -> Self {
        // The sign to the whole number, which has no negative zero.
        let sign = i64::from(negative);
        let signed = (whole as i64 ^ -sign).wrapping_add(sign);
        Self::new(signed as f64, Scale(decimals as u8))
    }

    /// A decimal of at most 8 digits, the last in the lowest byte: the order of doubles is that of their bits.
    #[inline(always)]
    pub fn digits(sign: u64, digits: u64, scale: Scale) -> Self {
        Self::new(f64::from_bits(digits | sign), scale)
    }

    /// The nearest double.
    #[inline]
    pub fn value(self) -> f64 {
        let Scale(scale) = self.scale;
        let decimals = usize::from(scale & !Scale::DIGITS);
        let number = if scale & Scale::DIGITS == 0 {
            self.number
        } else {
            let bits = self.number.to_bits();
            let whole = eight_digits(bits.swap_bytes() & 0x0f0f_0f0f_0f0f_0f0f);
            Self::whole(bits & NEGATIVE != 0, whole, decimals).number
        };
        number / POWERS.get(decimals).copied().unwrap_or(1.0)
    }
}

pub(crate) const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Reads a plain decimal number: sign, digits with at most one point, optional exponent. `None` for anything else,
/// and for a number too large for a double. Correctly rounded.
#[inline]
pub(crate) fn score(text: &[u8]) -> Option<Score> {
    let (negative, digits) = match text.first() {
        Some(b'-') => (true, text.get(1..)?),
        Some(b'+') => (false, text.get(1..)?),
        _ => (false, text),
    };
    let (mut mantissa, mut bytes): (u64, u64) = (0, 0);
    let mut count = 0_usize;
    let mut point = None;
    for (i, &b) in digits.iter().enumerate() {
        let digit = b.wrapping_sub(b'0');
        if digit < 10 {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
            bytes = bytes << 8 | u64::from(digit);
            count += 1;
        } else if b == b'.' && point.is_none() {
            point = Some(i);
        } else {
            return slow_score(text);
        }
    }
    if count == 0 {
        return None;
    }
    let decimals = point.map_or(0, |p| digits.len() - 1 - p);
    Some(match count {
        ..=8 => Score::digits(
            sign(negative && bytes != 0),
            bytes,
            Scale::of_digits(decimals),
        ),
        9..=15 => Score::whole(negative, mantissa, decimals),
        _ => return slow_score(text),
    })
}

/// Any valid decimal, by the standard library's correctly rounded parser.
#[cold]
fn slow_score(text: &[u8]) -> Option<Score> {
    let rest = text
        .strip_prefix(b"-")
        .or_else(|| text.strip_prefix(b"+"))
        .unwrap_or(text);
    let mark = rest.iter().position(|b| matches!(b, b'e' | b'E'));
    let (digits, exponent) = match mark {
        Some(i) => (rest.get(..i)?, Some(rest.get(i + 1..)?)),
        None => (rest, None),
    };
    let point = digits
        .iter()
        .position(|&b| b == b'.')
        .unwrap_or(digits.len());
    let (whole, fraction) = (digits.get(..point)?, digits.get(point + 1..).unwrap_or(&[]));
    if whole.is_empty() && fraction.is_empty()
        || !whole.iter().chain(fraction).all(u8::is_ascii_digit)
    {
        return None;
    }
    let shift = match exponent {
        Some(e) => {
            let plain = e
                .strip_prefix(b"-")
                .or_else(|| e.strip_prefix(b"+"))
                .unwrap_or(e);
            if plain.is_empty() || !plain.iter().all(u8::is_ascii_digit) {
                return None;
            }
            let size = plain.iter().fold(0_i64, |s, b| {
                s.saturating_mul(10).saturating_add(i64::from(b - b'0'))
            });
            if e.first() == Some(&b'-') {
                -size
            } else {
                size
            }
        }
        None => 0,
    };
    let value: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    if !value.is_finite() {
        return None;
    }
    // The decimal without leading and trailing zeros, as digits and the exponent of its first digit.
    let significant = |skip: &u8| *skip == b'0';
    let all = || whole.iter().chain(fraction);
    let leading = all().take_while(|b| significant(b)).count();
    let trailing = all().rev().take_while(|b| significant(b)).count();
    let kept = (whole.len() + fraction.len()).saturating_sub(leading + trailing);
    let long = (kept > 15 || (value == 0.0 && kept > 0)).then(|| {
        let mut key: Vec<u8> = all().skip(leading).take(kept).copied().collect();
        let place = (whole.len() as i64 - leading as i64).saturating_add(shift);
        key.extend_from_slice(&place.to_le_bytes());
        key.push(u8::from(text.first() == Some(&b'-')));
        xxhash_rust::xxh3::xxh3_64(&key)
    });
    Some(Score::of(value, long))
}

/// Whether a score is written as a whole number that no double holds: `value` is the nearest one.
#[inline]
pub(crate) fn is_rounded(text: &[u8], value: f64) -> bool {
    if text.len() < 16 {
        return false;
    }
    let digits = text
        .strip_prefix(b"-")
        .or_else(|| text.strip_prefix(b"+"))
        .unwrap_or(text);
    let zeros = digits.iter().take_while(|&&b| b == b'0').count();
    let kept = digits.get(zeros..).unwrap_or(&[]);
    !kept.is_empty()
        && kept.iter().all(u8::is_ascii_digit)
        && format!("{:.0}", value.abs()).as_bytes() != kept
}

/// Reads a whole number with an optional sign that fits 32 bits.
#[inline]
pub(crate) fn grade(text: &[u8]) -> Option<i32> {
    let (negative, digits) = match text.first() {
        Some(b'-') => (true, text.get(1..)?),
        Some(b'+') => (false, text.get(1..)?),
        _ => (false, text),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value: i64 = 0;
    for b in digits {
        let digit = b.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value.saturating_mul(10).saturating_add(i64::from(digit));
    }
    i32::try_from(if negative { -value } else { value }).ok()
}

/// Reads the rank column where it is a whole number; its text is otherwise free, as in trec_eval.
#[inline]
pub(crate) fn rank(text: &[u8]) -> Option<u32> {
    let mut value: u32 = 0;
    for b in text {
        let digit = b.wrapping_sub(b'0');
        if digit > 9 || text.len() > 9 {
            return None;
        }
        value = value.wrapping_mul(10).wrapping_add(u32::from(digit));
    }
    Some(value)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn scores_equal_the_standard_parser_to_the_bit() {
        for text in [
            "0",
            "-0",
            "1",
            "+1",
            "12.5",
            ".5",
            "5.",
            "0.1",
            "123456789012345",
            "0.000000000000001",
            "8.123456",
            "1e5",
            "1E-5",
            "-2.5e+3",
            "123456789012345678",
            "0.1234567890123456789",
            "9007199254740993",
            "1e308",
            "4.9e-324",
            "1e-400",
            "0.30000000000000004",
        ] {
            let expected: f64 = text.parse::<f64>().unwrap() + 0.0;
            let got = score(text.as_bytes()).unwrap().value();
            assert_eq!(got.to_bits(), expected.to_bits(), "{text}");
        }
    }

    #[test]
    fn scores_of_one_scale_are_in_the_order_of_their_numbers() {
        let mut random = crate::fuzz::Random::new(6);
        let mut alike = 0;
        for _ in 0..200_000 {
            let decimals = random.upto(7);
            let mut draw = || {
                let size = 10_f64.powi(random.upto(4) as i32 - 1);
                let value = (random.below(2_001) as f64 - 1_000.0) / 1_000.0 * size;
                score(format!("{value:.decimals$}").as_bytes()).unwrap()
            };
            let (one, other) = (draw(), draw());
            if one.scale == other.scale {
                let order = one.value().partial_cmp(&other.value());
                assert_eq!(one.number.partial_cmp(&other.number), order);
                alike += 1;
            }
        }
        assert!(alike > 100_000, "{alike}");
    }

    #[test]
    fn what_is_not_a_plain_decimal_is_refused() {
        for text in [
            "", "-", "+", ".", "8,5", "8_5", "0x1p4", "nan", "inf", "-inf", "Infinity", "1e",
            "1e+", "1e400", "1.2.3", "１", "1d5", "--1", "+-1", "1e5.0", " 1",
        ] {
            assert_eq!(score(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn only_decimals_that_a_double_cannot_hold_are_long() {
        assert_eq!(score(b"0.5000000000000000000000").unwrap().long, None);
        let a = score(b"0.1234567890123456701").unwrap();
        let b = score(b"0.1234567890123456702").unwrap();
        assert_eq!(a.value().to_bits(), b.value().to_bits());
        assert!(a.long.is_some() && b.long.is_some() && a.long != b.long);
        assert_eq!(
            score(b"1234567890123456.70").unwrap().long,
            score(b"1.2345678901234567e15").unwrap().long
        );
    }

    #[test]
    fn whole_numbers_that_no_double_holds_are_rounded() {
        let rounded =
            |text: &str| is_rounded(text.as_bytes(), score(text.as_bytes()).unwrap().value());
        for text in [
            "9007199254740993",
            "-9007199254740993",
            "+0009007199254740993",
            "100000000000000000000000",
        ] {
            assert!(rounded(text), "{text}");
        }
        for text in [
            "9007199254740992",
            "-18014398509481984",
            "0000000000000000000",
            "1180591620717411303424",
            "9007199254740993.5",
            "9007199254740993e1",
            "0.1234567890123456701",
        ] {
            assert!(!rounded(text), "{text}");
        }
    }

    #[test]
    fn grades_are_whole_numbers_in_range() {
        assert_eq!(grade(b"-1"), Some(-1));
        assert_eq!(grade(b"+2"), Some(2));
        assert_eq!(grade(b"2147483648"), None);
        assert_eq!(grade(b"99999999999999999999999"), None);
        assert_eq!(grade(b"1.0"), None);
        assert_eq!(grade(b""), None);
    }
}
