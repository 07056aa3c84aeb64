//! Ids that look the same and are not: they differ only by Unicode normalisation.

use std::borrow::Cow;
use std::collections::HashMap;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// How many ids differ only by normalisation from another one, with `counts` true for one of them: all but one of each
/// set of such ids. Ids are distinct; those that are not UTF-8 have no normal form.
pub(crate) fn alike<'a>(ids: impl Iterator<Item = (&'a [u8], bool)>) -> u32 {
    let mut known: HashMap<Cow<'a, str>, (u32, bool)> = HashMap::new();
    for (id, counts) in ids.filter(|(id, _)| !id.is_ascii()) {
        if let Ok(text) = std::str::from_utf8(id) {
            let form = match is_nfc_quick(text.chars()) {
                IsNormalized::Yes => Cow::Borrowed(text),
                _ => Cow::Owned(text.nfc().collect()),
            };
            let (number, any) = known.entry(form).or_default();
            *number += 1;
            *any |= counts;
        }
    }
    known
        .values()
        .filter(|(_, any)| *any)
        .map(|(number, _)| number - 1)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::alike;

    #[test]
    fn all_but_one_of_the_ids_that_look_the_same_are_counted() {
        // three spellings of one id, of which none is in normal form C, and another id
        let spellings = [
            "a\u{323}\u{307}",
            "a\u{307}\u{323}",
            "\u{227}\u{323}",
            "\u{e9}",
        ];
        let ids = |counts| spellings.iter().map(move |s| (s.as_bytes(), counts));
        assert_eq!(alike(ids(true)), 2);
        assert_eq!(alike(ids(false)), 0);
        assert_eq!(
            alike([(&b"\xff"[..], true), (&b"a"[..], true)].into_iter()),
            0
        );
    }
}
