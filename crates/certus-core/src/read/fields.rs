//! Splitting a line into columns and reading its numbers, strictly.

use super::MAX_LINE;
use super::blocks::too_long;

/// A word with the top bit of every byte whose value in `x` is at most 0x20 (exact for the lowest such byte).
#[inline]
fn low_bytes(x: u64) -> u64 {
    x.wrapping_sub(0x2121_2121_2121_2121) & !x & 0x8080_8080_8080_8080
}

/// Position of the first byte at or after `from` that ends a column: a blank, a line feed or NUL.
/// Other control bytes belong to the column.
#[inline]
fn column_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    loop {
        if let Some(word) = text
            .get(at..at + 8)
            .and_then(|w| <[u8; 8]>::try_from(w).ok())
        {
            let low = low_bytes(u64::from_le_bytes(word));
            if low == 0 {
                at += 8;
                continue;
            }
            at += (low.trailing_zeros() / 8) as usize;
        }
        match text.get(at) {
            None => return text.len(),
            Some(b' ' | b'\t'..=b'\r' | 0) => return at,
            Some(_) => at += 1,
        }
    }
}

#[inline]
fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c) = text.get(at) {
        at += 1;
    }
    at
}

/// The columns of a line as ranges of the text, and the position after the line's line feed.
pub(crate) type Columns<const N: usize> = ([(usize, usize); N], usize);

/// Splits the line that starts at `from` into exactly `N` columns.
///
/// # Errors
/// The number of columns found, or `None` where the line holds a NUL byte.
#[inline]
pub(crate) fn columns<const N: usize>(
    text: &[u8],
    from: usize,
    extra_columns: bool,
) -> Result<Columns<N>, Option<usize>> {
    let mut found = [(0, 0); N];
    let mut at = from;
    for (count, column) in found.iter_mut().enumerate() {
        let start = skip_blanks(text, at);
        at = column_end(text, start);
        if at == start {
            return Err((text.get(at) != Some(&0)).then_some(count));
        }
        *column = (start, at);
    }
    let mut extra = 0;
    loop {
        at = skip_blanks(text, at);
        match text.get(at) {
            None => break,
            Some(b'\n') => {
                at += 1;
                break;
            }
            Some(0) => return Err(None),
            Some(_) => {
                extra += 1;
                at = column_end(text, at);
            }
        }
    }
    if extra > 0 && !extra_columns {
        Err(Some(N + extra))
    } else {
        Ok((found, at))
    }
}

/// Position after the line that starts at `at`, if it holds nothing but blanks (or is a comment, where those are
/// allowed): such a line is passed over, as trec_eval does.
#[inline]
pub(crate) fn skip_line(text: &[u8], at: usize, comments: bool) -> Option<usize> {
    match text.get(at) {
        Some(b'#') if comments => {
            Some(memchr::memchr(b'\n', text.get(at..)?).map_or(text.len(), |i| at + i + 1))
        }
        Some(b'\n' | b' ' | b'\t' | b'\r' | 0x0b | 0x0c) => {
            let end = skip_blanks(text, at);
            (text.get(end).is_none_or(|&b| b == b'\n')).then_some(end + 1)
        }
        _ => None,
    }
}

/// The message for the line at `at` that `columns` refused.
#[cold]
pub(crate) fn wrong_columns(
    text: &[u8],
    at: usize,
    found: Option<usize>,
    wanted: usize,
    names: &str,
) -> String {
    let line = text.get(at..).unwrap_or(&[]);
    if memchr::memchr(b'\n', line).unwrap_or(line.len()) > MAX_LINE {
        return too_long();
    }
    match found {
        None => {
            "the line holds a NUL byte; the file is binary, damaged or UTF-16 (convert it to UTF-8)"
                .into()
        }
        Some(n) => {
            let columns = if n == 1 { "column" } else { "columns" };
            format!("the line has {n} {columns}; expected {wanted}, separated by blanks: {names}")
        }
    }
}

/// A score as read: its value and, when it has more digits than a double keeps apart, a fingerprint of its decimal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Score {
    pub value: f64,
    pub long: Option<u64>,
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
    let mut mantissa: u64 = 0;
    let mut count = 0_usize;
    let mut point = None;
    for (i, &b) in digits.iter().enumerate() {
        let digit = b.wrapping_sub(b'0');
        if digit < 10 {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
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
    // Up to 15 digits the mantissa is exact, so is the power of ten, and the division rounds once.
    if count > 15 {
        return slow_score(text);
    }
    let value = mantissa as f64 / POWERS.get(decimals)?;
    Some(Score {
        value: if negative && mantissa != 0 {
            -value
        } else {
            value
        },
        long: None,
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
    Some(Score {
        value: value + 0.0,
        long,
    })
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
            let got = score(text.as_bytes()).unwrap().value;
            assert_eq!(got.to_bits(), expected.to_bits(), "{text}");
        }
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
        assert_eq!(a.value.to_bits(), b.value.to_bits());
        assert!(a.long.is_some() && b.long.is_some() && a.long != b.long);
        assert_eq!(
            score(b"1234567890123456.70").unwrap().long,
            score(b"1.2345678901234567e15").unwrap().long
        );
    }

    #[test]
    fn whole_numbers_that_no_double_holds_are_rounded() {
        let rounded =
            |text: &str| is_rounded(text.as_bytes(), score(text.as_bytes()).unwrap().value);
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

    #[test]
    fn columns_are_separated_by_blanks_only() {
        let line = b"q1\tQ0  d\x01\x7f1 1\r\n";
        let (found, next) = columns::<4>(line, 0, false).unwrap();
        assert_eq!(next, line.len());
        assert_eq!(&line[found[2].0..found[2].1], b"d\x01\x7f1");
        assert_eq!(columns::<3>(b"a b\n", 0, false), Err(Some(2)));
        assert_eq!(columns::<1>(b"a b c\n", 0, false), Err(Some(3)));
        assert_eq!(columns::<2>(b"a b c\n", 0, true).unwrap().1, 6);
        assert_eq!(columns::<2>(b"a\0 b\n", 0, false), Err(None));
    }
}
