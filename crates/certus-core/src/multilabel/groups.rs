//! The true labels of a row among the others, by score.

use crate::scores::Keyed;

/// Up to this many true labels each is compared with every label, which is faster than sorting the row.
const FEW: usize = 24;

/// The labels of one row that share a score, at least one of them true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Labels with a higher score, and the true ones among them.
    pub above: u64,
    pub true_above: u64,
    /// Labels with this score, and the true ones among them.
    pub size: u64,
    pub true_here: u64,
}

/// Memory that is used again for each row.
pub(super) struct Space<T: Keyed> {
    positives: Vec<T>,
    keys: Vec<(T::Key, bool)>,
}

impl<T: Keyed> Default for Space<T> {
    fn default() -> Self {
        Self {
            positives: Vec::new(),
            keys: Vec::new(),
        }
    }
}

impl<T: Keyed> Space<T> {
    /// The scores of the true labels.
    pub(super) fn positives(&mut self, truth: &[bool], scores: &[T]) -> &[T] {
        let Some(&first) = scores.first() else {
            return &[];
        };
        self.positives.clear();
        self.positives.resize(scores.len(), first);
        let mut found = 0;
        for (&score, &positive) in scores.iter().zip(truth) {
            // Written whether it is true or not: no branch that a processor could guess wrong.
            self.positives[found] = score;
            found += usize::from(positive);
        }
        &self.positives[..found]
    }

    /// Calls `visit` with each group, in any order, and returns how many labels are true.
    pub(super) fn groups(&mut self, truth: &[bool], scores: &[T], visit: impl FnMut(Group)) -> u64 {
        let number = self.positives(truth, scores).len();
        if number <= FEW {
            compared(&self.positives[..number], scores, visit);
        } else {
            self.sorted(truth, scores, visit);
        }
        number as u64
    }

    fn sorted(&mut self, truth: &[bool], scores: &[T], mut visit: impl FnMut(Group)) {
        self.keys.clear();
        let labels = scores.iter().zip(truth);
        self.keys
            .extend(labels.map(|(score, &positive)| (score.key(), positive)));
        self.keys.sort_unstable_by_key(|&(key, _)| key);
        let (mut above, mut true_above) = (0, 0);
        for tied in self.keys.chunk_by(|a, b| a.0 == b.0).rev() {
            let size = tied.len() as u64;
            let true_here = tied.iter().filter(|&&(_, positive)| positive).count() as u64;
            if true_here > 0 {
                visit(Group {
                    above,
                    true_above,
                    size,
                    true_here,
                });
            }
            above += size;
            true_above += true_here;
        }
    }
}

fn compared<T: Keyed>(positives: &[T], scores: &[T], mut visit: impl FnMut(Group)) {
    for (before, &score) in positives.iter().enumerate() {
        let group = group_of(positives, scores, score);
        if group.true_here == 1 || !positives[..before].contains(&score) {
            visit(group);
        }
    }
}

/// The group of the labels with that score.
pub(super) fn group_of<T: Keyed>(positives: &[T], scores: &[T], score: T) -> Group {
    let (above, at_or_above) = counts(scores, score);
    let (true_above, true_at_or_above) = counts(positives, score);
    Group {
        above,
        true_above,
        size: at_or_above - above,
        true_here: true_at_or_above - true_above,
    }
}

/// How many are above the score, and how many at or above.
pub(super) fn counts<T: Keyed>(scores: &[T], score: T) -> (u64, u64) {
    // A checked addition would keep the compiler from counting several at a time.
    scores.iter().fold((0, 0), |(above, at_or_above), &other| {
        (
            u64::wrapping_add(above, u64::from(other > score)),
            u64::wrapping_add(at_or_above, u64::from(other >= score)),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multilabel::naive::tables;

    #[test]
    fn comparing_and_sorting_find_the_same_groups() {
        for (truth, scores) in tables() {
            let mut space = Space::default();
            let (mut by_comparing, mut by_sorting) = (Vec::new(), Vec::new());
            space.groups(&truth, &scores, |group| by_comparing.push(group));
            space.sorted(&truth, &scores, |group| by_sorting.push(group));
            by_comparing.sort_by_key(|group| group.above);
            assert_eq!(by_comparing, by_sorting);
        }
    }

    #[test]
    fn the_two_zeros_are_one_score() {
        let mut groups = Vec::new();
        Space::default().groups(&[true, false], &[0.0, -0.0], |group| groups.push(group));
        let (true_here, size) = (1, 2);
        assert_eq!(groups[0].true_here, true_here);
        assert_eq!(groups[0].size, size);
    }
}
