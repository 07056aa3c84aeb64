//! The columns of a line.

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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

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
