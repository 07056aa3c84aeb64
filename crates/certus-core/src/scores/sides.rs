//! The scores of each class, sorted.

use super::groups::Score;
use super::order::{LAST, POSITIVE};
use crate::{interrupt, threads};
use std::sync::Mutex;

/// Fewer scores than this are sorted faster on one thread than on two.
const WORTH_A_THREAD: usize = 1 << 16;
/// More are not sorted without a look whether to go on: a quarter of a second.
const SORTED_AT_ONCE: usize = 1 << 22;

/// A score whose order is that of a whole number, which sorts several times faster than the score itself.
pub trait Keyed: Score {
    type Key: Copy + Ord + Send + Into<u128>;
    /// Increases with the score; the two zeros are one.
    fn key(self) -> Self::Key;
    /// The bits of the score that has the key.
    fn bits(key: Self::Key) -> Self::Key;
    /// The score with the zero that has no sign for either zero.
    fn unsigned(self) -> Self;
}

macro_rules! keyed {
    ($float:ty, $key:ty) => {
        impl Keyed for $float {
            type Key = $key;
            #[inline]
            fn key(self) -> $key {
                // The bits of positive scores increase with them; those of negative ones decrease.
                let bits = (self + 0.0).to_bits();
                if bits >> (<$key>::BITS - 1) == 0 {
                    bits ^ (1 << (<$key>::BITS - 1))
                } else {
                    !bits
                }
            }
            #[inline]
            fn bits(key: $key) -> $key {
                if key >> (<$key>::BITS - 1) == 0 {
                    !key
                } else {
                    key ^ (1 << (<$key>::BITS - 1))
                }
            }
            #[inline]
            fn unsigned(self) -> Self {
                self + 0.0
            }
        }
    };
}

keyed!(f32, u32);
keyed!(f64, u64);

/// Writes the bits of the scores of the positives and of the negatives, each ascending.
///
/// The slices must be as long as there are positives and negatives; NaN has no place in an order and is not for here.
///
/// ```
/// let (mut positives, mut negatives) = ([0; 2], [0; 1]);
/// let written = certus_core::scores::sides(&[0.9, 0.4, -0.5], &[true, false, true], &mut positives, &mut negatives);
/// assert!(written.is_ok());
/// assert_eq!(positives.map(f64::from_bits), [-0.5, 0.9]);
/// assert_eq!(negatives.map(f64::from_bits), [0.4]);
/// ```
///
/// # Errors
///
/// The lengths do not fit.
pub fn sides<T: Keyed>(
    scores: &[T],
    truth: &[bool],
    positives: &mut [T::Key],
    negatives: &mut [T::Key],
) -> Result<(), &'static str> {
    split_by(scores, truth, positives, negatives, T::key)?;
    let two = scores.len() >= WORTH_A_THREAD && threads::count() > 1;
    let sides = [positives, negatives].map(Mutex::new);
    threads::run(if two { 2 } else { 1 }, |thread| {
        for (i, side) in sides.iter().enumerate() {
            if (!two || i == thread)
                && let Ok(mut keys) = side.lock()
            {
                sort(&mut keys);
                keys.iter_mut().for_each(|key| *key = T::bits(*key));
            }
        }
    });
    Ok(())
}

/// Writes the scores of the positives and of the negatives, each in their order, no zero with a sign.
///
/// ```
/// let (mut positives, mut negatives) = ([0.0; 2], [0.0; 1]);
/// let written = certus_core::scores::split(&[0.9, 0.4, -0.0], &[true, false, true], &mut positives, &mut negatives);
/// assert!(written.is_ok());
/// assert_eq!((positives, negatives), ([0.9, 0.0], [0.4]));
/// ```
///
/// # Errors
///
/// The lengths do not fit.
pub fn split<T: Keyed>(
    scores: &[T],
    truth: &[bool],
    positives: &mut [T],
    negatives: &mut [T],
) -> Result<(), &'static str> {
    split_by(scores, truth, positives, negatives, T::unsigned)
}

fn split_by<T: Keyed, U: Copy>(
    scores: &[T],
    truth: &[bool],
    positives: &mut [U],
    negatives: &mut [U],
    written: impl Fn(T) -> U,
) -> Result<(), &'static str> {
    if scores.len() != truth.len() || positives.len() + negatives.len() != scores.len() {
        return Err("each score needs its truth, and each of either class its place");
    }
    let (mut ours, mut theirs) = (0, 0);
    for (score, &positive) in scores.iter().zip(truth) {
        let key = written(*score);
        // Written to both sides, of which one moves on: no branch that a processor could guess wrong.
        if let Some(place) = positives.get_mut(ours) {
            *place = key;
        }
        if let Some(place) = negatives.get_mut(theirs) {
            *place = key;
        }
        ours += usize::from(positive);
        theirs += usize::from(!positive);
    }
    if ours != positives.len() {
        return Err("there are more or fewer positives than places for them");
    }
    Ok(())
}

/// Sorts in parts between which an interruption is heard.
///
/// ```
/// let mut keys = [3, 1, 2];
/// certus_core::scores::sort(&mut keys);
/// assert_eq!(keys, [1, 2, 3]);
/// ```
pub fn sort<K: Ord>(mut keys: &mut [K]) {
    while keys.len() > SORTED_AT_ONCE {
        interrupt::poll();
        let (lower, _, upper) = keys.select_nth_unstable(keys.len() / 2);
        sort(lower);
        keys = upper;
    }
    interrupt::poll();
    keys.sort_unstable();
}

/// Indices of the samples by decreasing score, those of one score in their order, and their marks as
/// [`marks_of`](super::marks_of) gives them.
///
/// ```
/// let (order, marks) = certus_core::scores::ranked(&[0.1, 0.9, 0.5, 0.5], &[false, true, false, true]).unwrap();
/// assert_eq!(order, [1, 2, 3, 0]);
/// assert_eq!(marks, [3, 0, 3, 2]);
/// ```
///
/// # Errors
///
/// There is not one truth for each score, or there are more than 2^32 samples.
pub fn ranked<T: Keyed>(scores: &[T], truth: &[bool]) -> Result<(Vec<i64>, Vec<u8>), &'static str> {
    let mut keys = vec![0; scores.len()];
    packed(scores, truth, &mut keys)?;
    sort(&mut keys);
    ranked_by(&keys, scores)
}

/// Writes for each score a number that sorts as scores do, the highest first: the upper bits of its key, and below them
/// its index and its truth. One number sorts faster than a pair, and far faster than indices, which wait for memory.
///
/// # Errors
///
/// There is not one truth and one place for each score, or there are more than 2^32 samples.
pub fn packed<T: Keyed>(
    scores: &[T],
    truth: &[bool],
    keys: &mut [u64],
) -> Result<(), &'static str> {
    if scores.len() != keys.len() || scores.len() != truth.len() {
        return Err("each score needs its truth and its place");
    }
    if u32::try_from(scores.len()).is_err() {
        return Err("there are more than 2^32 samples");
    }
    let upper = upper(scores.len());
    for (((score, positive), key), index) in scores.iter().zip(truth).zip(keys).zip(0..) {
        *key = down(*score) & upper | index << 1 | u64::from(*positive);
    }
    Ok(())
}

/// The bits of a packed key that are neither its index nor its truth.
pub(super) fn upper(samples: usize) -> u64 {
    let bits = u64::BITS - (samples as u64).leading_zeros();
    !((2 << bits) - 1)
}

/// The index in a packed key.
#[inline]
pub(super) fn place(key: u64, upper: u64) -> usize {
    ((key & !upper) >> 1) as usize
}

/// The key of a score, counting down, in the upper bits of a number.
#[inline]
pub(super) fn down<T: Keyed>(score: T) -> u64 {
    let key: u128 = score.key().into();
    let unused = u64::BITS - 8 * size_of::<T::Key>() as u32;
    !((key as u64) << unused)
}

/// As [`ranked`], from the packed keys of the scores, sorted.
///
/// # Errors
///
/// There is not one key for each score, or a key has no index of a score.
pub fn ranked_by<T: Keyed>(
    keys: &[u64],
    scores: &[T],
) -> Result<(Vec<i64>, Vec<u8>), &'static str> {
    let samples = scores.len();
    if samples != keys.len() {
        return Err("each score needs its key");
    }
    let upper = upper(samples);
    let mut order: Vec<i64> = keys.iter().map(|&key| place(key, upper) as i64).collect();
    if order.iter().any(|&index| index as usize >= samples) {
        return Err("a key has no score");
    }
    let mut marks: Vec<u8> = keys.iter().map(|key| *key as u8 & POSITIVE).collect();
    let mut run: Vec<(u64, i64, u8)> = Vec::new();
    let mut first = 0;
    for end in 1..=samples {
        interrupt::at(end);
        if end < samples && (keys[end] ^ keys[end - 1]) & upper == 0 {
            continue;
        }
        if end - first > 1 {
            // The lower bits of their keys may tell them apart.
            run.clear();
            let tied = order[first..end].iter().zip(&marks[first..end]);
            run.extend(tied.map(|(&i, &mark)| (down(scores[i as usize]), i, mark)));
            if !run.is_sorted() {
                run.sort_unstable();
            }
            for (place, &(key, index, mark)) in (first..end).zip(&run) {
                let last = run.get(place + 1 - first).is_some_and(|next| next.0 != key);
                order[place] = index;
                marks[place] = mark | (u8::from(last) * LAST);
            }
        }
        marks[end - 1] |= LAST;
        first = end;
    }
    Ok((order, marks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::naive::pairs_of_sides;
    use crate::scores::{marks_of, sums_of_order};

    #[test]
    fn an_order_has_the_marks_of_its_sides_and_keeps_ties_as_they_come() {
        for (positives, negatives) in pairs_of_sides() {
            let mut samples: Vec<_> = negatives.iter().map(|s| (*s, false)).collect();
            samples.extend(positives.iter().map(|s| (*s, true)));
            let (scores, truth): (Vec<_>, Vec<_>) = samples.into_iter().unzip();
            let (order, marks) = ranked(&scores, &truth).unwrap_or_default();
            let mut expected: Vec<i64> = (0..scores.len() as i64).collect();
            expected.sort_by(|a, b| scores[*b as usize].total_cmp(&scores[*a as usize]));
            assert_eq!(order, expected);
            let ones = vec![1.0; marks.len()];
            let by_sides = sums_of_order(&marks_of(&positives, &negatives), &ones);
            assert_eq!(sums_of_order(&marks, &ones), by_sides);
        }
        assert!(ranked(&[1.0_f32], &[]).is_err());
    }

    #[test]
    fn scores_that_differ_in_their_last_bits_are_told_apart() {
        let scores: Vec<f64> = (0..3000_u64)
            .map(|i| {
                f64::from_bits(1.0_f64.to_bits() + i * 37 % 40)
                    * if i % 9 == 0 { -1.0 } else { 1.0 }
            })
            .collect();
        let truth: Vec<bool> = (0..scores.len()).map(|i| i % 3 == 0).collect();
        let (order, marks) = ranked(&scores, &truth).unwrap_or_default();
        let mut expected: Vec<i64> = (0..scores.len() as i64).collect();
        expected.sort_by(|a, b| scores[*b as usize].total_cmp(&scores[*a as usize]));
        assert_eq!(order, expected);
        for (place, mark) in marks.iter().enumerate() {
            let score = |place: usize| order.get(place).map(|&i| scores[i as usize]);
            assert_eq!(mark & LAST != 0, score(place) != score(place + 1));
            assert_eq!(mark & POSITIVE != 0, truth[order[place] as usize]);
        }
    }

    fn sorted(scores: &[f64], truth: &[bool]) -> (Vec<f64>, Vec<f64>) {
        let positives = truth.iter().filter(|t| **t).count();
        let mut keys = (vec![0; positives], vec![0; scores.len() - positives]);
        assert_eq!(sides(scores, truth, &mut keys.0, &mut keys.1), Ok(()));
        let floats = |keys: Vec<u64>| keys.into_iter().map(f64::from_bits).collect();
        (floats(keys.0), floats(keys.1))
    }

    #[test]
    fn each_side_holds_the_scores_of_its_class_ascending() {
        for (positives, negatives) in pairs_of_sides() {
            // Interleaved from the back, so that neither side comes sorted.
            let mut samples: Vec<_> = positives.iter().rev().map(|s| (*s, true)).collect();
            samples.extend(negatives.iter().rev().map(|s| (*s, false)));
            samples.reverse();
            let (scores, truth): (Vec<_>, Vec<_>) = samples.into_iter().unzip();
            let mut expected = (positives, negatives);
            expected.0.sort_by(f64::total_cmp);
            expected.1.sort_by(f64::total_cmp);
            assert_eq!(sorted(&scores, &truth), expected);
        }
    }

    #[test]
    fn keys_keep_the_order_and_the_bits_of_every_kind_of_number() {
        let ascending = [
            f64::NEG_INFINITY,
            f64::MIN,
            -1.5,
            -f64::MIN_POSITIVE,
            -5e-324,
            0.0,
            5e-324,
            f64::MIN_POSITIVE,
            1.5,
            f64::MAX,
            f64::INFINITY,
        ];
        assert!(ascending.is_sorted_by(|a, b| a.key() < b.key()));
        for score in ascending {
            assert_eq!(f64::bits(score.key()), score.to_bits());
            let single = score as f32;
            assert_eq!(f32::bits(single.key()), (single + 0.0).to_bits());
        }
        assert_eq!((-0.0_f64).key(), 0.0_f64.key());
    }

    #[test]
    fn many_scores_are_sorted_alike_on_two_threads() {
        let scores: Vec<f64> = (0..2 * WORTH_A_THREAD as u64)
            .map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f64)
            .collect();
        let truth: Vec<bool> = scores.iter().map(|s| s % 3.0 == 0.0).collect();
        let (positives, negatives) = sorted(&scores, &truth);
        assert!(positives.is_sorted() && negatives.is_sorted());
        assert!(
            positives.iter().all(|s| s % 3.0 == 0.0) && negatives.iter().all(|s| s % 3.0 != 0.0)
        );
    }

    #[test]
    fn lengths_that_do_not_fit_are_refused() {
        let refused = |truth: &[bool], positives, negatives| {
            sides(
                &[1.0_f64],
                truth,
                &mut vec![0; positives],
                &mut vec![0; negatives],
            )
            .is_err()
        };
        assert!(refused(&[true, false], 1, 0));
        assert!(refused(&[true], 0, 1));
        assert!(refused(&[true], 1, 1));
        assert!(!refused(&[true], 1, 0));
    }
}
