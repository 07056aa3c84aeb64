//! Expected reciprocal rank.

use super::chance::placements;
use super::gains::power_of_two;
use super::lists::{List, last_rank, ratio};
use crate::underflow::{NEGLIGIBLE, flush};

/// The mean of 1 / rank over users who read down the list and stop at a document of grade g with probability
/// (2^g - 1) / 2^max_grade (Chapelle et al. 2009, as gdeval computes it). A grade above `max_grade` is an error.
///
/// ```
/// use certus_core::ranking::{Columns, err};
///
/// let columns = Columns::single(&[&[Some(1)], &[None], &[Some(2)]], &[]);
/// assert_eq!(err(&columns.lists().list(0), None, 2, false), Ok(0.25 + 0.75 * 0.75 / 3.0));
/// assert!(err(&columns.lists().list(0), None, 1, false).is_err());
/// ```
pub fn err(list: &List, cutoff: Option<u64>, max_grade: i32, average: bool) -> Result<f64, String> {
    if let Some(&top) = list.judged.first().filter(|&&top| top > max_grade) {
        return Err(format!(
            "grade {top} is above max_grade={max_grade}; give the greatest grade in use"
        ));
    }
    let last = last_rank(cutoff);
    let mut reading = 1.0;
    let mut sum = 0.0;
    for group in list.groups(average) {
        let inside = group.inside(last);
        // Where hardly anybody reads on, the sum is far from 0.
        if inside == 0 || reading < NEGLIGIBLE {
            break;
        }
        if group.size == 1 {
            let stop = stop(group.grades[0], max_grade);
            sum += stop * reading / f64::from(group.first);
            reading *= 1.0 - stop;
            continue;
        }
        let stops: Vec<f64> = group
            .grades
            .iter()
            .map(|&grade| stop(grade, max_grade))
            .filter(|&stop| stop > 0.0)
            .collect();
        let at_hit = stops_at(&stops);
        let mut tied = 0.0;
        placements(group.size, stops.len() as u32, inside, |i, j, p| {
            tied += p * at_hit[j as usize - 1] / f64::from(group.first + (i - 1));
        });
        sum += tied * reading;
        reading *= stops.iter().map(|stop| 1.0 - stop).product::<f64>();
    }
    Ok(sum)
}

/// [`err`] divided by that of the judged documents in their best order; 0 where that is 0.
///
/// ```
/// use certus_core::ranking::{Columns, nerr};
///
/// let columns = Columns::single(&[&[None], &[Some(1)]], &[]);
/// assert_eq!(nerr(&columns.lists().list(0), None, 1, false), Ok(0.5));
/// ```
pub fn nerr(
    list: &List,
    cutoff: Option<u64>,
    max_grade: i32,
    average: bool,
) -> Result<f64, String> {
    let value = err(list, cutoff, max_grade, average)?;
    let mut reading = 1.0;
    let mut ideal = 0.0;
    for (rank, &grade) in (1..=last_rank(cutoff)).zip(list.judged) {
        if reading < NEGLIGIBLE {
            break;
        }
        let stop = stop(grade, max_grade);
        ideal += stop * reading / f64::from(rank);
        reading *= 1.0 - stop;
    }
    Ok(ratio(value, ideal))
}

/// The probability to stop at a document, computed so that no power overflows.
fn stop(grade: i32, max_grade: i32) -> f64 {
    if grade <= 0 {
        0.0
    } else {
        power_of_two(grade - max_grade) - power_of_two(-max_grade)
    }
}

/// At `j - 1`, the probability to stop at the `j`-th of documents in random order, given it is read in that order and
/// `stops` are their probabilities. Documents are taken in one by one: the new one stands before the j-th place, on it
/// or after it, and only sums of products of probabilities occur.
fn stops_at(stops: &[f64]) -> Vec<f64> {
    // passed[j]: the mean probability to pass j of them, drawn at random.
    let mut passed = vec![1.0];
    let mut stopped: Vec<f64> = vec![];
    let nothing = NEGLIGIBLE * stops.iter().copied().fold(0.0, f64::max);
    for (n, &stop) in (1..).zip(stops) {
        let n = f64::from(n);
        passed.push(0.0);
        stopped.push(0.0);
        for j in (1..passed.len()).rev() {
            let place = j as f64;
            let before = if j > 1 {
                (place - 1.0) / n * (1.0 - stop) * stopped[j - 2]
            } else {
                0.0
            };
            let here = stop * passed[j - 1] / n;
            stopped[j - 1] = before + here + (n - place) / n * stopped[j - 1];
            passed[j] = place / n * (1.0 - stop) * passed[j - 1] + (n - place) / n * passed[j];
        }
        flush(&mut passed, nothing);
        flush(&mut stopped, nothing);
    }
    stopped
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::ranking::Columns;
    use crate::ranking::naive::agree;
    use crate::underflow::census;

    fn naive(docs: &[Option<i32>], k: usize, max_grade: i32) -> f64 {
        let (mut sum, mut reading) = (0.0, 1.0);
        for (i, grade) in docs.iter().take(k).enumerate() {
            let stop = (2.0_f64.powi(grade.unwrap_or(0).max(0)) - 1.0) / 2.0_f64.powi(max_grade);
            sum += reading * stop / (i as f64 + 1.0);
            reading *= 1.0 - stop;
        }
        sum
    }

    #[test]
    fn agree_with_the_definition_over_all_tie_orders() {
        for max_grade in [3, 5] {
            for k in [1, 3, 100] {
                let cutoff = Some(k as u64);
                agree(
                    |list, average| err(list, cutoff, max_grade, average).unwrap(),
                    |dense| naive(&dense.docs, k, max_grade),
                );
                agree(
                    |list, average| nerr(list, cutoff, max_grade, average).unwrap(),
                    |dense| {
                        let best: Vec<Option<i32>> =
                            dense.judged.iter().copied().map(Some).collect();
                        ratio(naive(&dense.docs, k, max_grade), naive(&best, k, max_grade))
                    },
                );
            }
        }
    }

    #[test]
    fn huge_grades_do_not_overflow() {
        let columns = Columns::single(&[&[Some(2999)], &[Some(3000)]], &[]);
        assert_eq!(
            err(&columns.lists().list(0), None, 3000, false),
            Ok(0.5 + 0.5 / 2.0)
        );
    }

    #[test]
    fn no_subnormal_number_circulates() {
        let docs = vec![Some(3); 1_500];
        let tied = Columns::single(&[&docs], &[]);
        let (flushed, left) = census::compared(0.01, || err(&tied.lists().list(0), None, 3, true));
        assert_eq!(flushed, left);
        // One after the other: nobody reads to the end.
        let each: Vec<&[Option<i32>]> = vec![&[Some(2)]; 5_000];
        let apart = Columns::single(&each, &[]);
        let list = |last| err(&apart.lists().list(0), last, 3, true);
        assert_eq!(list(None), list(Some(1_000)));
    }
}
