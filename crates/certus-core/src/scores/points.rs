//! The points of a curve: what a threshold has passed at each distinct score.

use super::groups::Score;

/// Writes, for each point of the walk of a threshold from infinity downwards, the threshold and how many positives and
/// how many negatives have at least that score; returns the number of points.
///
/// The first point is infinity, where nothing is passed; then there is one for each distinct score.
///
/// ```
/// let (mut thresholds, mut above) = ([0.0; 6], ([0; 6], [0; 6]));
/// let n = certus_core::scores::points(&[0.5, 0.9], &[0.1, 0.5, 0.5], &mut thresholds, &mut above.0, &mut above.1);
/// assert_eq!(n, Ok(4));
/// assert_eq!(thresholds[..4], [f64::INFINITY, 0.9, 0.5, 0.1]);
/// assert_eq!(above.0[..4], [0, 1, 2, 2]);
/// assert_eq!(above.1[..4], [0, 0, 2, 3]);
/// ```
///
/// # Errors
///
/// The slices to write to are not one longer than there are samples.
pub fn points<T: Score + From<f32>>(
    positives: &[T],
    negatives: &[T],
    thresholds: &mut [T],
    true_positives: &mut [i64],
    false_positives: &mut [i64],
) -> Result<usize, &'static str> {
    let places = positives.len() + negatives.len() + 1;
    if [
        thresholds.len(),
        true_positives.len(),
        false_positives.len(),
    ] != [places; 3]
    {
        return Err("there must be one place more than samples");
    }
    let (mut ours, mut theirs) = (positives, negatives);
    let mut at = 0;
    let mut last: Option<T> = None;
    thresholds[0] = f32::INFINITY.into();
    // One sample at a time, and no branch on which class it has: a point is written anew until the score changes.
    let mut write = |score: T, tp: usize, fp: usize| {
        at += usize::from(last != Some(score));
        last = Some(score);
        thresholds[at] = score;
        true_positives[at] = tp as i64;
        false_positives[at] = fp as i64;
    };
    let passed =
        |ours: &[T], theirs: &[T]| (positives.len() - ours.len(), negatives.len() - theirs.len());
    while let (Some(&a), Some(&b)) = (ours.last(), theirs.last()) {
        let positive = a >= b;
        ours = &ours[..ours.len() - usize::from(positive)];
        theirs = &theirs[..theirs.len() - usize::from(!positive)];
        let (tp, fp) = passed(ours, theirs);
        write(if positive { a } else { b }, tp, fp);
    }
    while let Some((&score, rest)) = ours.split_last() {
        ours = rest;
        let (tp, fp) = passed(ours, theirs);
        write(score, tp, fp);
    }
    while let Some((&score, rest)) = theirs.split_last() {
        theirs = rest;
        let (tp, fp) = passed(ours, theirs);
        write(score, tp, fp);
    }
    Ok(at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::naive::{distinct, pairs_of_sides};

    type Points = (Vec<f64>, Vec<i64>, Vec<i64>);

    fn points_of(positives: &[f64], negatives: &[f64]) -> Points {
        let places = positives.len() + negatives.len() + 1;
        let (mut thresholds, mut tp, mut fp) =
            (vec![0.0; places], vec![0; places], vec![0; places]);
        let n = points(positives, negatives, &mut thresholds, &mut tp, &mut fp).unwrap_or_default();
        thresholds.truncate(n);
        tp.truncate(n);
        fp.truncate(n);
        (thresholds, tp, fp)
    }

    #[test]
    fn each_point_counts_the_samples_with_at_least_its_score() {
        for (positives, negatives) in pairs_of_sides() {
            let mut thresholds = distinct(&positives, &negatives);
            thresholds.reverse();
            let above = |side: &[f64], t: f64| side.iter().filter(|s| **s >= t).count() as i64;
            let mut expected = (vec![f64::INFINITY], vec![0], vec![0]);
            for t in thresholds {
                expected.0.push(t);
                expected.1.push(above(&positives, t));
                expected.2.push(above(&negatives, t));
            }
            assert_eq!(points_of(&positives, &negatives), expected);
        }
    }

    #[test]
    fn an_infinite_score_has_a_point_of_its_own() {
        let (thresholds, tp, fp) = points_of(&[f64::NEG_INFINITY, f64::INFINITY], &[0.0]);
        assert_eq!(
            thresholds,
            [f64::INFINITY, f64::INFINITY, 0.0, f64::NEG_INFINITY]
        );
        assert_eq!((tp, fp), (vec![0, 1, 1, 2], vec![0, 0, 1, 1]));
    }

    #[test]
    fn too_little_room_is_refused() {
        assert!(points(&[1.0], &[0.0], &mut [0.0; 2], &mut [0; 3], &mut [0; 3]).is_err());
    }
}
