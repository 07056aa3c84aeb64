//! Random numbers through exact sums, moments and losses.
#![allow(clippy::unwrap_used)]

use crate::exact::{self, Sum};
use crate::fuzz::{Random, bits, fuzz, near};
use crate::moments;
use crate::regression::{self, Term};

#[test]
fn exact_sums_do_not_depend_on_order_or_parts() {
    fuzz("sums", |draw| {
        let any = draw.odds(4);
        let mut values = draw.list(30, |draw| if any { draw.any() } else { draw.finite() });
        let sum = exact::of_values(&values);
        let at = draw.upto(values.len());
        let (one, other) = values.split_at(at);
        let mut parts = exact::of_values(other);
        parts.merge(&exact::of_values(one));
        assert!(parts == sum, "{values:?}");
        let (chunks, special) = sum.parts();
        assert_eq!(
            Sum::of_parts(chunks, special),
            Some(sum.clone()),
            "{values:?}"
        );
        let minus: Vec<f64> = values.iter().map(|v| -v).collect();
        let mut nothing = exact::of_values(&minus);
        nothing.merge(&sum);
        assert!(any || nothing.rounded() == 0.0, "{values:?}");
        let products = exact::of_products(&values, &minus).unwrap().rounded();
        draw.shuffle(&mut values);
        let again = exact::of_values(&values).rounded();
        assert_eq!(bits([again]), bits([sum.rounded()]), "{values:?}");
        let whole: Vec<f64> = values.iter().map(|_| draw.below(1 << 20) as f64).collect();
        let total: f64 = whole.iter().sum();
        let codes: Vec<i64> = whole.iter().map(|_| draw.below(3) as i64).collect();
        let found = exact::by_code(&codes, &whole, 3).unwrap();
        assert_eq!(found.iter().sum::<f64>(), total);
        let [first, second, ..] = exact::powers(&whole);
        assert_eq!(first.rounded(), total);
        assert_eq!(
            second.rounded(),
            exact::of_products(&whole, &whole).unwrap().rounded()
        );
        bits([again, products])
    });
}

#[test]
fn moments_and_losses_are_those_of_the_definition() {
    fuzz("moments", |draw| {
        let any = draw.odds(8);
        let number = |draw: &mut Random| {
            if any {
                draw.any()
            } else {
                draw.unit() * 4.0 - 2.0
            }
        };
        let truth = draw.list(20, number);
        let predicted: Vec<f64> = truth.iter().map(|_| number(draw)).collect();
        let n = truth.len() as f64;
        let found = moments::of_values(&truth);
        let squares = regression::squared_error(&truth, &predicted).unwrap();
        let absolute = regression::absolute_error(&truth, &predicted).unwrap();
        let terms = [
            Term::ErrorSquare(0.0),
            Term::TrueSquare {
                shift: found.mean,
                farthest: (found.greatest - found.mean).max(found.mean - found.least),
            },
        ];
        let sums = regression::totals(&truth, &predicted, &terms).unwrap();
        let [lost, total] = [0, 1].map(|place: usize| sums[place].sum.rounded());
        let errors = moments::of_squared_error(&truth, &predicted).unwrap();
        if !any && !truth.is_empty() {
            let mean = truth.iter().sum::<f64>() / n;
            let about = |power| truth.iter().map(|v| (v - mean).powi(power)).sum::<f64>();
            for (got, want) in [
                (found.mean, mean),
                (found.second, about(2)),
                (found.third, about(3)),
                (found.fourth, about(4)),
            ] {
                assert!(near(got, want, n * 100.0), "{truth:?} {found:?}");
            }
            let pairs = || truth.iter().zip(&predicted);
            assert!(near(
                squares,
                pairs().map(|(y, p)| (y - p).powi(2)).sum(),
                n
            ));
            assert!(near(absolute, pairs().map(|(y, p)| (y - p).abs()).sum(), n));
            assert!(
                near(lost, squares, n) && near(total, about(2), n),
                "{truth:?} {predicted:?}"
            );
            assert!(near(errors.mean * n, squares, n));
        }
        let gains = Term::R2 {
            mean: found.mean,
            rest: 0.0,
            squares: lost,
            total,
            times: n / (n - 1.0),
        };
        let powers = regression::powers(&truth, &predicted, gains, 0.0, 1e3).unwrap();
        bits([
            found.second,
            squares,
            absolute,
            total,
            powers[0].rounded(),
            errors.fourth,
        ])
    });
}
