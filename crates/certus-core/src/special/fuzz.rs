//! Random parameters, probabilities and points through distribution functions and quantiles.

use super::*;
use crate::fuzz::{Random, bits, fuzz};

/// Any number, or one of a wide range.
fn parameter(draw: &mut Random) -> f64 {
    match draw.below(16) {
        0 => draw.any(),
        1..4 => draw.pick(&[0.5, 1.0, 2.0, 1.5, 10.0]),
        4..8 => 10f64.powf(draw.unit() * 11.0 - 8.0),
        _ => 10f64.powf(draw.unit() * 4.0 - 1.0),
    }
}

fn probability(draw: &mut Random) -> f64 {
    match draw.below(16) {
        0 => draw.any(),
        1 => draw.pick(&[0.0, 0.25, 0.5, 0.75, 1.0, f64::from_bits(1), f64::EPSILON]),
        2..6 => 10f64.powf(-300.0 * draw.unit()),
        6..9 => 1.0 - 10f64.powf(-15.0 * draw.unit()),
        _ => draw.unit(),
    }
}

/// Whether the inverse of a distribution function comes back: doubles about `x` are apart, and steep tails multiply that.
fn returns(found: f64, p: f64, steep: f64) -> bool {
    (found - p).abs() <= 1e-13 * (1.0 + steep) * p + f64::MIN_POSITIVE
}

/// Whether a quantile may be refused: that of a small parameter may lie within 1e-200 of an end, or hang on digits that `p`
/// lacks, and a large one needs too many terms.
fn refusable(parameter: f64) -> bool {
    !(1e-3..1e8).contains(&parameter)
}

/// Whether two numbers are equal but for the last digits.
fn alike(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-13 * a.abs().max(b.abs())
}

#[test]
fn normal_and_t_quantiles_are_odd_rise_and_come_back() {
    fuzz("normal", |draw| {
        let (p, freedom) = (probability(draw), parameter(draw));
        let normal = normal_quantile(p);
        assert_eq!(normal.is_some(), (0.0..=1.0).contains(&p), "{p}");
        let Some(z) = normal else {
            assert_eq!(t_quantile(freedom, p), None, "{freedom} {p}");
            return 0;
        };
        assert_eq!(z == f64::NEG_INFINITY, p == 0.0, "{p}");
        assert!(p == 0.5 || (p > 0.5) == (z > 0.0), "{p}: {z}");
        if (0.5..1.0).contains(&p) {
            assert_eq!(normal_quantile(1.0 - p), Some(-z), "{p}"); // 1 - p is exact from 1/2 on
        }
        let back = normal_cdf(z).unwrap_or(f64::NAN);
        assert!(p == 0.0 || returns(back, p, z * z), "{p}: {z} {back}");
        let more = p + (1.0 - p) * draw.unit();
        assert!(normal_quantile(more) >= normal, "{p} {more}");
        let Some(t) = t_quantile(freedom, p) else {
            return bits([z]);
        };
        assert!(freedom > 0.0 && !t.is_nan(), "{freedom} {p}");
        assert!(t.abs() >= z.abs() * (1.0 - 1e-13), "{freedom} {p}: {t} {z}");
        // t is slow: one of its properties at a time
        let tails = |t: f64| t_tails(freedom, t).filter(|_| t.abs() < 1e70 && t.abs() > 1e-130);
        match draw.below(4) {
            0 if (0.5..1.0).contains(&p) => assert!(
                alike(t_quantile(freedom, 1.0 - p).unwrap_or(f64::NAN), -t),
                "{freedom} {p}"
            ),
            1 => {
                let higher = t_quantile(freedom, more).unwrap_or(if freedom < 1e-280 {
                    t
                } else {
                    f64::NAN
                });
                assert!(
                    higher == t || higher >= t - 1e-13 * t.abs(),
                    "{freedom} {p} {more}: {t} {higher}"
                );
            }
            2 => {
                if let Some((below, above)) = tails(t) {
                    let mirrored = t_tails(freedom, -t);
                    assert_eq!(mirrored, Some((above, below)), "{freedom} {t}");
                }
            }
            _ => {
                if let Some((below, above)) = tails(t) {
                    assert!(returns(below, p, z * z), "{freedom} {p}: {t} {below}");
                    assert!((below + above - 1.0).abs() <= 4e-16, "{freedom} {t}");
                }
            }
        }
        bits([z, t])
    });
}

#[test]
fn gamma_quantiles_rise_or_come_back() {
    fuzz("gammas", |draw| {
        let (a, p) = (parameter(draw), probability(draw));
        let found = gamma_quantile(a, p);
        let Some(x) = found else { return 0 };
        assert!(x >= 0.0 && a > 0.0, "{a} {p}: {x}");
        assert_eq!(x == f64::INFINITY, p == 1.0, "{a} {p}: {x}");
        if draw.odds(2) {
            let more = p + (1.0 - p) * draw.unit();
            let higher = gamma_quantile(a, more);
            assert!(
                higher.map_or(refusable(a), |higher| higher >= x * (1.0 - 1e-13)),
                "{a} {p} {more}: {x} {higher:?}"
            );
        } else if x > 1e-280 && x < 1e300 {
            let back = gamma::Gamma::new(a).and_then(|gamma| gamma.at(twofold::Twofold::new(x)));
            if let Some(at) = back {
                let steep = a.max(1.0).sqrt() * (1.0 - p.min(0.5).ln()) + a.max(x);
                assert!(
                    returns(at.lower.to_f64(), p, steep),
                    "{a} {p}: {x} {:?}",
                    at.lower
                );
            }
        }
        bits(found)
    });
}

#[test]
fn beta_quantiles_mirror_or_rise_or_come_back() {
    fuzz("betas", |draw| {
        let (a, b, p) = (parameter(draw), parameter(draw), probability(draw));
        let upper = draw.odds(2);
        let found = beta_quantile(a, b, p, upper);
        let Some(x) = found else { return 0 };
        assert!((0.0..=1.0).contains(&x), "{a} {b} {p} {upper}: {x}");
        // The other tail of the mirrored distribution; near 1 a double has lost what lies beyond.
        let refused = refusable(a) || refusable(b);
        match draw.below(3) {
            0 => {
                let mirrored = beta_quantile(b, a, p, !upper);
                let same = |mirrored: f64| (1.0 - x - mirrored).abs() <= 4e-16;
                assert!(
                    mirrored.map_or(refused, same),
                    "{a} {b} {p} {upper}: {x} {mirrored:?}"
                );
            }
            1 => {
                let more = p + (1.0 - p) * draw.unit();
                let other = beta_quantile(a, b, more, upper);
                let rises = |other: f64| {
                    if upper {
                        other <= x * (1.0 + 1e-13)
                    } else {
                        other >= x * (1.0 - 1e-13)
                    }
                };
                assert!(
                    other.map_or(refused, rises),
                    "{a} {b} {p} {more} {upper}: {x} {other:?}"
                );
            }
            _ => {
                let tails = beta_tails(a, b, x).filter(|_| x > 1e-280 && 1.0 - x > 1e-3);
                if let Some((below, above)) = tails {
                    assert!(
                        (below + above - 1.0).abs() <= 4e-16,
                        "{a} {b} {x}: {below} {above}"
                    );
                    let steep =
                        (a + b).sqrt() * (1.0 - p.min(0.5).ln()) + a.max(b) * x.max(a / (a + b));
                    let back = if upper { above } else { below };
                    assert!(
                        returns(back, p, steep * 1e3),
                        "{a} {b} {p} {upper}: {x} {back}"
                    );
                }
            }
        }
        bits(found)
    });
}
