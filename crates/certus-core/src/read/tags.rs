//! The run tags of a file, of which there should be one.

/// The least and the greatest tag met, by their bytes: the same for any order of the lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Option<(Vec<u8>, Vec<u8>)>);

impl Tags {
    /// Adds a tag.
    pub fn add(&mut self, tag: &[u8]) {
        match &mut self.0 {
            None => self.0 = Some((tag.to_vec(), tag.to_vec())),
            Some((least, _)) if tag < least.as_slice() => *least = tag.to_vec(),
            Some((_, greatest)) if tag > greatest.as_slice() => *greatest = tag.to_vec(),
            Some(_) => {}
        }
    }

    /// Adds the tags of another part of the file.
    pub fn merge(&mut self, other: &Self) {
        if let Some((least, greatest)) = &other.0 {
            self.add(least);
            self.add(greatest);
        }
    }

    /// Two tags that differ, if there are two.
    ///
    /// # Examples
    /// ```
    /// use certus_core::read::Tags;
    /// let mut tags = Tags::default();
    /// tags.add(b"bm25");
    /// assert_eq!(tags.differing(), None);
    /// tags.add(b"ql");
    /// assert_eq!(tags.differing(), Some((&b"bm25"[..], &b"ql"[..])));
    /// ```
    #[must_use]
    pub fn differing(&self) -> Option<(&[u8], &[u8])> {
        let (least, greatest) = self.0.as_ref()?;
        (least != greatest).then_some((least, greatest))
    }
}
