//! Means over the classes of a table of shares of its cells.

/// How often each of tp, fp, fn and tn of a class counts above and below the line.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    pub above: [f64; 4],
    pub below: [f64; 4],
}

/// How the classes enter a mean.
#[derive(Clone, Copy, Debug, Default)]
pub struct OverClasses {
    /// Each by its true samples; otherwise all alike.
    pub weighted: bool,
    /// Classes of which the share is 0/0 are left out.
    pub skip: bool,
    /// What 0/0 counts as, of a class and of the mean.
    pub undefined: Option<f64>,
}

/// The mean of the share of the classes, given the four cells of each, summed in their order; NaN where it is 0/0.
///
/// ```
/// use certus_core::labels::{OverClasses, Share, mean_of_shares};
/// let recall = Share { above: [1.0, 0.0, 0.0, 0.0], below: [1.0, 0.0, 1.0, 0.0] };
/// let classes = [[3.0, 0.0, 1.0, 2.0], [1.0, 1.0, 1.0, 3.0]];
/// assert_eq!(mean_of_shares(&classes, recall, OverClasses::default()), 0.625);
/// let weighted = OverClasses { weighted: true, ..Default::default() };
/// assert_eq!(mean_of_shares(&classes, recall, weighted), 4.0 / 6.0);
/// ```
#[must_use]
pub fn mean_of_shares(classes: &[[f64; 4]], share: Share, over: OverClasses) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for cells in classes {
        let [tp, _, r#fn, _] = cells;
        let value = cell_sum(share.above, cells) / cell_sum(share.below, cells);
        let mut weight = if over.weighted { tp + r#fn } else { 1.0 };
        if over.skip && value.is_nan() {
            weight = 0.0;
        }
        let value = match over.undefined {
            Some(number) if value.is_nan() => number,
            _ => value,
        };
        // A class without weight does not enter, whatever its value.
        sum += if weight == 0.0 { 0.0 } else { weight * value };
        total += weight;
    }
    match over.undefined {
        Some(number) if total == 0.0 => number,
        _ => sum / total,
    }
}

/// A sum that leaves out cells that do not count, so that nothing is rounded without need.
fn cell_sum(times: [f64; 4], cells: &[f64; 4]) -> f64 {
    times
        .iter()
        .zip(cells)
        .filter(|(factor, _)| **factor != 0.0)
        .fold(0.0, |sum, (factor, cell)| sum + factor * cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRECISION: Share = Share {
        above: [1.0, 0.0, 0.0, 0.0],
        below: [1.0, 1.0, 0.0, 0.0],
    };
    /// The second class is never predicted.
    const CLASSES: [[f64; 4]; 3] = [
        [1.0, 3.0, 1.0, 5.0],
        [0.0, 0.0, 4.0, 6.0],
        [2.0, 2.0, 0.0, 6.0],
    ];

    fn mean(weighted: bool, skip: bool, undefined: Option<f64>) -> f64 {
        let over = OverClasses {
            weighted,
            skip,
            undefined,
        };
        mean_of_shares(&CLASSES, PRECISION, over)
    }

    #[test]
    fn a_class_of_0_0_counts_as_it_is_told() {
        assert!(mean(false, false, None).is_nan());
        assert_eq!(mean(false, true, None), (0.25 + 0.5) / 2.0);
        assert_eq!(mean(false, false, Some(1.0)), (0.25 + 1.0 + 0.5) / 3.0);
        assert_eq!(mean(true, false, Some(0.0)), (2.0 * 0.25 + 2.0 * 0.5) / 8.0);
        assert_eq!(mean(true, true, None), (2.0 * 0.25 + 2.0 * 0.5) / 4.0);
    }

    #[test]
    fn a_mean_of_no_class_is_0_0() {
        let none = |undefined| {
            let over = OverClasses {
                skip: true,
                undefined,
                ..OverClasses::default()
            };
            mean_of_shares(&[[0.0; 4]; 2], PRECISION, over)
        };
        assert!(none(None).is_nan());
        assert!(mean_of_shares(&[], PRECISION, OverClasses::default()).is_nan());
        let weighted = OverClasses {
            weighted: true,
            undefined: Some(0.5),
            ..OverClasses::default()
        };
        assert_eq!(mean_of_shares(&[[0.0; 4]; 2], PRECISION, weighted), 0.5);
    }
}
