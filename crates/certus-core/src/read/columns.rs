//! Columns of ids as one text each, and the fingerprint of rows.

use xxhash_rust::xxh3::Xxh3;

use crate::interrupt;

/// The `count` ids of a text in which NUL bytes separate them; `None` where there are more or fewer, or one is empty.
///
/// # Examples
/// ```
/// use certus_core::read::ids;
/// assert_eq!(ids(b"d1\0d7", 2).unwrap().collect::<Vec<_>>(), [b"d1", b"d7"]);
/// assert!(ids(b"d1\0d7", 3).is_none());
/// assert!(ids(b"d1\0", 2).is_none());
/// assert!(ids(b"d1", 0).is_none());
/// assert_eq!(ids(b"", 0).unwrap().count(), 0);
/// ```
#[must_use]
pub fn ids(text: &[u8], count: usize) -> Option<impl Iterator<Item = &[u8]>> {
    let mut start = 0;
    let mut found = 0;
    let mut empty = false;
    let last = (count > 0 || !text.is_empty()).then_some(text.len());
    for end in memchr::memchr_iter(0, text).chain(last) {
        empty |= end == start;
        start = end + 1;
        found += 1;
    }
    let mut rest = text;
    let split = move || {
        let end = memchr::memchr(0, rest).unwrap_or(rest.len());
        let id = rest.get(..end)?;
        rest = rest.get(end + 1..).unwrap_or(&[]);
        Some(id)
    };
    (found == count && !empty).then(|| std::iter::from_fn(split).take(count))
}

/// Whole numbers as ids in one text, with NUL bytes between them.
///
/// # Examples
/// ```
/// use certus_core::read::joined_numbers;
/// assert_eq!(joined_numbers(&[7, -10, 0]), b"7\0-10\x000");
/// ```
#[must_use]
pub fn joined_numbers(numbers: &[i64]) -> Vec<u8> {
    let mut text = Vec::with_capacity(8 * numbers.len());
    for (place, &number) in numbers.iter().enumerate() {
        interrupt::at(place);
        if number < 0 {
            text.push(b'-');
        }
        let start = text.len();
        let mut rest = number.unsigned_abs();
        loop {
            text.push(b'0' + (rest % 10) as u8);
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if let Some(digits) = text.get_mut(start..) {
            digits.reverse();
        }
        text.push(0);
    }
    text.pop();
    text
}

/// Takes the fingerprint of rows, of many fields at a time.
#[derive(Default)]
pub(crate) struct RowHash {
    hash: Xxh3,
    waiting: Vec<u8>,
}

const AT_ONCE: usize = 1 << 14;

impl RowHash {
    /// Adds an id, so that no two lists of ids look the same.
    pub fn id(&mut self, id: &[u8]) {
        self.number(&(id.len() as u64).to_le_bytes());
        self.waiting.extend_from_slice(id);
    }

    /// Adds a number of fixed length.
    pub fn number(&mut self, bytes: &[u8]) {
        if self.waiting.len() > AT_ONCE {
            self.hash.update(&self.waiting);
            self.waiting.clear();
        }
        self.waiting.extend_from_slice(bytes);
    }

    pub fn digest(mut self) -> u128 {
        self.hash.update(&self.waiting);
        self.hash.digest128()
    }
}

#[cfg(test)]
mod tests {
    use super::joined_numbers;

    #[test]
    fn numbers_are_joined_as_they_are_written() {
        let powers = (0..19).map(|digits| 10_i64.pow(digits));
        let mut numbers: Vec<i64> = powers.flat_map(|n| [n - 1, n, -n, 1 - n]).collect();
        numbers.extend([i64::MIN, i64::MAX]);
        let written: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        assert_eq!(joined_numbers(&numbers), written.join("\0").into_bytes());
        assert_eq!(joined_numbers(&[]), b"");
    }
}
