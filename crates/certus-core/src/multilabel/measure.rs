//! Ranking measures of a row: where its true labels stand among all.

use super::groups::{Group, Space, group_of};
use super::rows::{Rows, each_row};
use crate::scores::Keyed;

/// What is measured, and how tied labels count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// Mean over true labels of the share of true ones among the labels at or above it.
    Precision(Ties),
    /// Share of the pairs of a true and a false label with the false one first, of the tied ones this share.
    Loss(f64),
    /// Rank of the last true label.
    Coverage(Ties),
    /// Whether the first label is false.
    OneError(Ties),
}

/// Where tied labels stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// All at the last place of their group.
    Last,
    /// In every order equally often.
    Average,
    /// True ones first.
    Best,
    /// True ones last.
    Worst,
}

impl Measure {
    /// The measure of that name with ties of that name.
    ///
    /// # Errors
    ///
    /// There is none.
    pub fn named(measure: &str, ties: &str) -> Result<Self, String> {
        let unknown = || format!("no measure is named '{measure}' with ties '{ties}'");
        if measure == "loss" {
            return match ties {
                "whole" => Ok(Self::Loss(1.0)),
                "half" => Ok(Self::Loss(0.5)),
                "none" => Ok(Self::Loss(0.0)),
                _ => Err(unknown()),
            };
        }
        let ties = match ties {
            "last" => Ties::Last,
            "average" => Ties::Average,
            "best" => Ties::Best,
            "worst" => Ties::Worst,
            _ => return Err(unknown()),
        };
        match measure {
            "precision" => Ok(Self::Precision(ties)),
            "coverage" => Ok(Self::Coverage(ties)),
            "one_error" => Ok(Self::OneError(ties)),
            _ => Err(unknown()),
        }
    }

    fn of<T: Keyed>(self, truth: &[bool], scores: &[T], space: &mut Space<T>) -> f64 {
        match self {
            Self::Precision(ties) => {
                let mut sum = 0.0;
                let number = space.groups(truth, scores, |group| sum += precisions(group, ties));
                among(number, truth, sum / number as f64)
            }
            Self::Loss(tied) => {
                let (mut wrong, mut equal) = (0, 0);
                let number = space.groups(truth, scores, |group| {
                    wrong += group.true_here * (group.above - group.true_above);
                    equal += group.true_here * (group.size - group.true_here);
                });
                let pairs = number * (truth.len() as u64 - number);
                (wrong as f64 + tied * equal as f64) / pairs as f64
            }
            Self::Coverage(ties) => {
                let positives = space.positives(truth, scores);
                let least = positives.iter().copied().reduce(less);
                least.map_or(f64::NAN, |least| {
                    depth(group_of(positives, scores, least), ties)
                })
            }
            Self::OneError(ties) => {
                let positives = space.positives(truth, scores);
                let first = scores.iter().copied().reduce(more);
                let number = positives.len() as u64;
                first.map_or(f64::NAN, |first| {
                    among(
                        number,
                        truth,
                        missed(group_of(positives, scores, first), ties),
                    )
                })
            }
        }
    }
}

/// The value, where there are both true and false labels.
fn among(number: u64, truth: &[bool], value: f64) -> f64 {
    if number == 0 || number == truth.len() as u64 {
        f64::NAN
    } else {
        value
    }
}

fn more<T: PartialOrd>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

fn less<T: PartialOrd>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

/// The precisions at the true labels of a group, summed.
fn precisions(group: Group, ties: Ties) -> f64 {
    let [above, true_above, size, here] =
        [group.above, group.true_above, group.size, group.true_here].map(|count| count as f64);
    let each = |first_rank: f64| -> f64 {
        (1..=group.true_here)
            .map(|k| (true_above + k as f64) / (first_rank + k as f64))
            .sum()
    };
    match ties {
        Ties::Last => here * ((true_above + here) / (above + size)),
        Ties::Best => each(above),
        Ties::Worst => each(above + size - here),
        Ties::Average if group.true_here == group.size => each(above),
        // A true label stands at each place of the group equally often, and the other true ones of the group are spread
        // evenly over the other places.
        Ties::Average => (0..group.size)
            .map(|place| {
                let place = place as f64;
                let before = (here - 1.0) * (place / (size - 1.0));
                here / size * ((true_above + before + 1.0) / (above + place + 1.0))
            })
            .sum(),
    }
}

/// The rank of the last true label of a group.
fn depth(group: Group, ties: Ties) -> f64 {
    let [above, size, here] = [group.above, group.size, group.true_here].map(|count| count as f64);
    match ties {
        Ties::Last | Ties::Worst => above + size,
        Ties::Best => above + here,
        // The expected greatest of `here` places out of `size`.
        Ties::Average => above + here * (size + 1.0) / (here + 1.0),
    }
}

/// The probability that the first of a group is false.
fn missed(group: Group, ties: Ties) -> f64 {
    match ties {
        Ties::Average => (group.size - group.true_here) as f64 / group.size as f64,
        Ties::Best => f64::from(group.true_here == 0),
        Ties::Last | Ties::Worst => f64::from(group.true_here < group.size),
    }
}

/// A measure of each row of a table of truths and scores.
///
/// It is NaN where no label is true; for all but the coverage also where all are. None where the shapes differ.
///
/// ```
/// use certus_core::multilabel::{Measure, Rows, measure_rows};
///
/// let truth = [true, false, false, false, false, true];
/// let scores = [0.75, 0.5, 1.0, 1.0, 0.2, 0.1];
/// let of = |measure| {
///     let rows = (Rows::new(&truth, 2, 3, false)?, Rows::new(&scores, 2, 3, false)?);
///     measure_rows(Measure::named(measure, if measure == "loss" { "whole" } else { "last" }).ok()?, &rows.0, &rows.1)
/// };
/// assert_eq!(of("precision"), Some(vec![1.0 / 2.0, 1.0 / 3.0]));
/// assert_eq!(of("coverage"), Some(vec![2.0, 3.0]));
/// assert_eq!(of("loss"), Some(vec![0.5, 1.0]));
/// assert_eq!(of("one_error"), Some(vec![1.0, 1.0]));
/// ```
#[must_use]
pub fn measure_rows<T: Keyed>(
    measure: Measure,
    truth: &Rows<bool>,
    scores: &Rows<T>,
) -> Option<Vec<f64>> {
    each_row(truth, scores, |truth, scores, space| {
        measure.of(truth, scores, space)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multilabel::naive::{mean_over_orders, orders, tables};

    fn value(measure: Measure, truth: &[bool], scores: &[f64]) -> f64 {
        measure.of(truth, scores, &mut Space::default())
    }

    #[test]
    fn averaged_ties_are_the_mean_over_all_orders_and_best_and_worst_their_ends() {
        for (truth, scores) in
            tables().filter(|(truth, _)| truth.contains(&true) && truth.contains(&false))
        {
            type Naive = fn(&[bool]) -> f64;
            let precision: Naive = |ranked| {
                let hits = ranked.iter().enumerate().filter(|(_, hit)| **hit);
                let sum: f64 = hits
                    .enumerate()
                    .map(|(before, (place, _))| (before as f64 + 1.0) / (place as f64 + 1.0))
                    .sum();
                sum / ranked.iter().filter(|hit| **hit).count() as f64
            };
            let coverage: Naive = |ranked| {
                ranked
                    .iter()
                    .rposition(|hit| *hit)
                    .map_or(0.0, |last| last as f64 + 1.0)
            };
            let one_error: Naive = |ranked| f64::from(!ranked[0]);
            let cases: [(fn(Ties) -> Measure, Naive, bool); 3] = [
                (Measure::Precision, precision, true),
                (Measure::Coverage, coverage, false),
                (Measure::OneError, one_error, false),
            ];
            for (measure, naive, higher) in cases {
                let mean = mean_over_orders(&truth, &scores, naive);
                assert!((value(measure(Ties::Average), &truth, &scores) - mean).abs() < 1e-12);
                let all = orders(&truth, &scores)
                    .into_iter()
                    .map(|ranked| naive(&ranked));
                let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                    (low.min(x), high.max(x))
                });
                let (best, worst) = if higher { (high, low) } else { (low, high) };
                assert!((value(measure(Ties::Best), &truth, &scores) - best).abs() < 1e-12);
                assert!((value(measure(Ties::Worst), &truth, &scores) - worst).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn the_loss_counts_every_pair() {
        for (truth, scores) in
            tables().filter(|(truth, _)| truth.contains(&true) && truth.contains(&false))
        {
            for tied in [0.0, 0.5, 1.0] {
                let (mut lost, mut pairs) = (0.0, 0.0);
                for (i, _) in truth.iter().enumerate().filter(|(_, hit)| **hit) {
                    for (j, _) in truth.iter().enumerate().filter(|(_, hit)| !**hit) {
                        pairs += 1.0;
                        if scores[j] > scores[i] {
                            lost += 1.0;
                        } else if scores[j] == scores[i] {
                            lost += tied;
                        }
                    }
                }
                assert_eq!(value(Measure::Loss(tied), &truth, &scores), lost / pairs);
            }
        }
    }

    #[test]
    fn the_last_place_of_a_group_is_counted_by_definition() {
        for (truth, scores) in
            tables().filter(|(truth, _)| truth.contains(&true) && truth.contains(&false))
        {
            let hits = || {
                scores
                    .iter()
                    .zip(&truth)
                    .filter(|(_, hit)| **hit)
                    .map(|(s, _)| *s)
            };
            let rank = |score: f64| scores.iter().filter(|other| **other >= score).count() as f64;
            let sum: f64 = hits()
                .map(|s| hits().filter(|other| *other >= s).count() as f64 / rank(s))
                .sum();
            let precision = value(Measure::Precision(Ties::Last), &truth, &scores);
            assert!((precision - sum / hits().count() as f64).abs() < 1e-14);
            let deepest = hits().map(rank).fold(0.0, f64::max);
            assert_eq!(
                value(Measure::Coverage(Ties::Last), &truth, &scores),
                deepest
            );
        }
    }

    #[test]
    fn rows_without_both_kinds_of_labels_have_no_value() {
        for measure in [
            Measure::Precision(Ties::Last),
            Measure::Loss(1.0),
            Measure::OneError(Ties::Average),
        ] {
            assert!(value(measure, &[false, false], &[0.1, 0.2]).is_nan());
            assert!(value(measure, &[true, true], &[0.1, 0.2]).is_nan());
        }
        assert!(value(Measure::Coverage(Ties::Last), &[false, false], &[0.1, 0.2]).is_nan());
        assert_eq!(
            value(Measure::Coverage(Ties::Last), &[true, true], &[0.1, 0.2]),
            2.0
        );
    }
}
