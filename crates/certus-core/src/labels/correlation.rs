//! The correlation of true and predicted label, of tables of two classes.

/// tp, fp, fn and tn of both classes.
pub type OfTwo = [[f64; 4]; 2];

/// What value and derivatives are made of.
struct Moments {
    shares: OfTwo,
    covariance: f64,
    of_true: f64,
    of_predicted: f64,
}

impl Moments {
    /// Nothing is subtracted from a whole, so no digits cancel.
    fn of(table: &OfTwo) -> Self {
        let [[a, _, c, _], [d, _, f, _]] = *table;
        let total = (a + c) + (d + f);
        let shares = table.map(|class| class.map(|count| count / total));
        let [[a, b, c, g], [d, e, f, h]] = shares;
        Self {
            shares,
            covariance: (a * g - b * c) + (d * h - e * f),
            of_true: (a + c) * (b + g) + (d + f) * (e + h),
            of_predicted: (a + b) * (c + g) + (d + e) * (f + h),
        }
    }
}

/// The correlation (Matthews's coefficient) of a table; NaN where it is 0/0.
///
/// ```
/// // [[1, 1], [1, 3]]: (3 - 1) / sqrt(2 * 4 * 2 * 4).
/// let table = [[1.0, 1.0, 1.0, 3.0], [3.0, 1.0, 1.0, 1.0]];
/// assert!((certus_core::labels::correlation(&table) - 0.25).abs() < 1e-16);
/// ```
#[must_use]
pub fn correlation(table: &OfTwo) -> f64 {
    let of = Moments::of(table);
    let scale = if of.of_true == of.of_predicted {
        of.of_true
    } else {
        of.of_true.sqrt() * of.of_predicted.sqrt()
    };
    (of.covariance / scale).clamp(-1.0, 1.0)
}

/// The derivatives of [`correlation`] by tp, fp, fn and tn of both classes, the same for every tn; None where it is 0/0.
///
/// ```
/// let table = [[2.0, 0.0, 0.0, 2.0]; 2];
/// let [tp, fp, r#fn, _] = certus_core::labels::correlation_slopes(&table).unwrap();
/// // With w wrong samples of one class it is 2 / (2 + w).
/// assert_eq!((tp, fp, r#fn), ([0.0; 2], [-0.5; 2], [0.0; 2]));
/// ```
#[must_use]
pub fn correlation_slopes(table: &OfTwo) -> Option<[[f64; 2]; 4]> {
    let of = Moments::of(table);
    let [[a, _, c, _], [d, _, f, _]] = *table;
    let product = of.of_true * of.of_predicted;
    // Also not where it is NaN.
    if !(product > 0.0 && ((a + c) + (d + f)).is_finite()) {
        return None;
    }
    let right = of.shares[0][0] + of.shares[1][0];
    let times = ((a + d) + (c + f)) * product.sqrt();
    let mut slopes = [[0.0; 2]; 4];
    for (class, [tp, fp, r#fn, tn]) in of.shares.into_iter().enumerate() {
        let by_row = (right - (tp + fp) - of.covariance * (fp + tn) / of.of_true) / times;
        let by_column = (-(tp + r#fn) - of.covariance * (r#fn + tn) / of.of_predicted) / times;
        slopes[0][class] = by_row + by_column + 1.0 / times;
        slopes[1][class] = by_column;
        slopes[2][class] = by_row;
    }
    Some(slopes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the cells `[[a, b], [c, d]]`.
    fn two([a, b, c, d]: [f64; 4]) -> OfTwo {
        [[a, c, b, d], [d, b, c, a]]
    }

    #[test]
    fn the_value_is_that_of_the_formula() {
        for table in [
            [3.0, 1.0, 2.0, 5.0],
            [0.0, 7.0, 2.0, 0.5],
            [1e-3, 2.0, 0.0, 9.0],
        ] {
            let [tn, fp, r#fn, tp] = table;
            let square = (tp + fp) * (tp + r#fn) * (tn + fp) * (tn + r#fn);
            let expected = (tp * tn - fp * r#fn) / f64::sqrt(square);
            assert!((correlation(&two(table)) - expected).abs() < 1e-15);
        }
        assert!(correlation(&two([0.0, 0.0, 3.0, 4.0])).is_nan());
        assert_eq!(correlation(&two([4.0, 0.0, 0.0, 1.0])), 1.0);
        assert_eq!(correlation(&two([0.0, 4.0, 1.0, 0.0])), -1.0);
    }

    #[test]
    fn the_slopes_of_a_cell_are_its_derivative() {
        let table = [3.0, 1.0, 2.0, 5.0];
        let [tp, fp, r#fn, _] = correlation_slopes(&two(table)).unwrap_or_default();
        // A wrong sample of the first class is a false negative of it and a false positive of the other.
        let by_cell = [tp[0], fp[1] + r#fn[0], fp[0] + r#fn[1], tp[1]];
        let mut sum = 0.0;
        for (cell, slope) in by_cell.into_iter().enumerate() {
            let shifted = |by: f64| {
                let mut table = table;
                table[cell] += by;
                correlation(&two(table))
            };
            assert!((slope - (shifted(1e-5) - shifted(-1e-5)) / 2e-5).abs() < 1e-9);
            sum += slope * table[cell];
        }
        // Rounding of terms up to 1/2.
        assert!(sum.abs() < 1e-15);
        assert_eq!(correlation_slopes(&two([0.0, 0.0, 3.0, 4.0])), None);
        assert_eq!(correlation_slopes(&two([0.0; 4])), None);
        assert_eq!(correlation_slopes(&two([f64::MAX; 4])), None);
    }
}
