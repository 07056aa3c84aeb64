//! Products of floats without rounding: each as a float and the rest that rounding took off.

/// Between this and one over it, a number, its square and the parts of the product with another are normal numbers.
pub(super) const MODERATE: f64 = f64::from_bits((1023 + 300) << 52);

/// The products of pairs as floats, and the rests that rounding took off.
pub(super) fn two_products(a: &[f64], b: &[f64], products: &mut [f64], rests: &mut [f64]) {
    let plain = |v: f64| (v.abs() > MODERATE.recip()) & (v.abs() < MODERATE) | (v == 0.0);
    let all = a
        .iter()
        .zip(b)
        .fold(true, |all, (&a, &b)| all & plain(a) & plain(b));
    for ((product, rest), (&a, &b)) in products.iter_mut().zip(rests).zip(a.iter().zip(b)) {
        (*product, *rest) = if all {
            two_moderate(a, b)
        } else {
            two_product(a, b)
        };
    }
}

/// As [`two_product`] for numbers far from the ends of the range of floats, by Dekker (1971), Numer. Math. 18:224-242,
/// doi:10.1007/BF01397083: processors without a fused operation need a call for it.
#[inline]
fn two_moderate(a: f64, b: f64) -> (f64, f64) {
    let split = |v: f64| {
        let high = v * 134_217_729.0; // 2^27 + 1
        let high = high - (high - v);
        (high, v - high)
    };
    let product = a * b;
    let ((a, a_rest), (b, b_rest)) = (split(a), split(b));
    let rest = ((a * b - product) + a * b_rest + a_rest * b) + a_rest * b_rest;
    (product, rest)
}

/// `a * b` as a float and the rest that rounding took off.
#[inline]
#[must_use]
pub fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    if !product.is_finite() {
        return (product, 0.0);
    }
    (product, a.mul_add(b, -product))
}
