//! Two sorted sides, merged into groups of equal scores.

/// A floating-point score, compared in its own width, or the whole number that stands for it in an order.
pub trait Score: Copy + PartialOrd + Send + Sync {}

impl Score for f32 {}
impl Score for f64 {}
impl Score for u32 {}
impl Score for u64 {}

/// The samples that share one score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group<T> {
    pub score: T,
    pub positives: u64,
    pub negatives: u64,
}

/// The groups of two ascending sides: by increasing score, or from the back by decreasing score.
///
/// ```
/// use certus_core::scores::{Group, Groups};
/// let groups: Vec<_> = Groups::new(&[0.5, 0.9], &[0.1, 0.5, 0.5]).rev().collect();
/// assert_eq!(groups[0], Group { score: 0.9, positives: 1, negatives: 0 });
/// assert_eq!(groups[1], Group { score: 0.5, positives: 1, negatives: 2 });
/// assert_eq!(groups.len(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Groups<'a, T> {
    positives: &'a [T],
    negatives: &'a [T],
}

impl<'a, T: Score> Groups<'a, T> {
    #[must_use]
    pub fn new(positives: &'a [T], negatives: &'a [T]) -> Self {
        Self {
            positives,
            negatives,
        }
    }
}

impl<T: Score> Iterator for Groups<'_, T> {
    type Item = Group<T>;

    #[inline]
    fn next(&mut self) -> Option<Group<T>> {
        let score = match (self.positives.first(), self.negatives.first()) {
            (Some(&p), Some(&n)) => {
                if n < p {
                    n
                } else {
                    p
                }
            }
            (Some(&p), None) => p,
            (None, Some(&n)) => n,
            (None, None) => return None,
        };
        let positives = take_first(&mut self.positives, score);
        let negatives = take_first(&mut self.negatives, score);
        group(score, positives, negatives)
    }
}

impl<T: Score> DoubleEndedIterator for Groups<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<Group<T>> {
        let score = match (self.positives.last(), self.negatives.last()) {
            (Some(&p), Some(&n)) => {
                if n > p {
                    n
                } else {
                    p
                }
            }
            (Some(&p), None) => p,
            (None, Some(&n)) => n,
            (None, None) => return None,
        };
        let positives = take_last(&mut self.positives, score);
        let negatives = take_last(&mut self.negatives, score);
        group(score, positives, negatives)
    }
}

/// The group of the samples taken; none are where a score is NaN, which equals nothing: the iteration ends there.
#[inline]
fn group<T>(score: T, positives: u64, negatives: u64) -> Option<Group<T>> {
    (positives + negatives > 0).then_some(Group {
        score,
        positives,
        negatives,
    })
}

/// Removes the leading scores equal to `score` and says how many there were.
#[inline]
fn take_first<T: Score>(side: &mut &[T], score: T) -> u64 {
    let mut taken = 0;
    while let [first, rest @ ..] = *side {
        if *first != score {
            break;
        }
        *side = rest;
        taken += 1;
    }
    taken
}

#[inline]
fn take_last<T: Score>(side: &mut &[T], score: T) -> u64 {
    let mut taken = 0;
    while let [rest @ .., last] = *side {
        if *last != score {
            break;
        }
        *side = rest;
        taken += 1;
    }
    taken
}

/// The distinct scores in decreasing order, with the positives and negatives that have each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps<T> {
    pub scores: Vec<T>,
    pub positives: Vec<i64>,
    pub negatives: Vec<i64>,
}

/// The steps that a decreasing threshold takes through two ascending sides.
///
/// ```
/// let steps = certus_core::scores::steps(&[0.5, 0.9], &[0.1, 0.5, 0.5]);
/// assert_eq!(steps.scores, [0.9, 0.5, 0.1]);
/// assert_eq!(steps.positives, [1, 1, 0]);
/// assert_eq!(steps.negatives, [0, 2, 1]);
/// ```
#[must_use]
pub fn steps<T: Score>(positives: &[T], negatives: &[T]) -> Steps<T> {
    let distinct = Groups::new(positives, negatives).count();
    let mut steps = Steps {
        scores: Vec::with_capacity(distinct),
        positives: Vec::with_capacity(distinct),
        negatives: Vec::with_capacity(distinct),
    };
    for group in Groups::new(positives, negatives).rev() {
        steps.scores.push(group.score);
        steps.positives.push(group.positives as i64);
        steps.negatives.push(group.negatives as i64);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::naive::{distinct, pairs_of_sides};

    #[test]
    fn groups_end_at_a_score_that_is_not_a_number() {
        let (nan, sides) = (f64::NAN, [0.5, f64::NAN, 0.75]);
        assert_eq!(Groups::new(&sides, &[0.5]).count(), 1);
        assert_eq!(Groups::new(&sides, &[0.5]).rev().count(), 1);
        assert_eq!(Groups::new(&[nan], &[nan]).count(), 0);
        assert_eq!(Groups::new(&[], &[nan]).rev().count(), 0);
    }

    #[test]
    fn groups_are_the_distinct_scores_with_their_counts_from_either_end() {
        for (positives, negatives) in pairs_of_sides() {
            let count = |side: &[f64], score| side.iter().filter(|s| **s == score).count() as u64;
            let mut expected: Vec<Group<f64>> = distinct(&positives, &negatives)
                .into_iter()
                .map(|score| Group {
                    score,
                    positives: count(&positives, score),
                    negatives: count(&negatives, score),
                })
                .collect();
            let groups = Groups::new(&positives, &negatives);
            assert_eq!(groups.clone().collect::<Vec<_>>(), expected);
            expected.reverse();
            assert_eq!(groups.rev().collect::<Vec<_>>(), expected);
            let steps = steps(&positives, &negatives);
            assert!(expected.iter().map(|g| g.score).eq(steps.scores));
            assert!(
                expected
                    .iter()
                    .map(|g| g.positives as i64)
                    .eq(steps.positives)
            );
            assert!(
                expected
                    .iter()
                    .map(|g| g.negatives as i64)
                    .eq(steps.negatives)
            );
        }
    }

    #[test]
    fn zeros_of_either_sign_are_one_score() {
        assert_eq!(Groups::new(&[-0.0, 0.0], &[0.0]).count(), 1);
    }

    #[test]
    fn infinite_scores_are_the_extremes() {
        let sides = ([f32::INFINITY], [f32::NEG_INFINITY, 0.0]);
        assert_eq!(
            steps(&sides.0, &sides.1).scores,
            [f32::INFINITY, 0.0, f32::NEG_INFINITY]
        );
    }
}
