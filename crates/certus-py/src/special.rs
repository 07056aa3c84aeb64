//! Distribution functions and quantiles for Python: None where there is no answer here.

use certus_core::special;
use pyo3::prelude::*;

/// Declares functions of numbers that certus-core has under the same name.
macro_rules! functions {
    ($($name:ident($($arg:ident: $type:ty),*) -> $result:ty;)*) => {
        $(
            #[pyfunction]
            pub fn $name($($arg: $type),*) -> Option<$result> {
                special::$name($($arg),*)
            }
        )*
    };
}

functions! {
    beta_tails(a: f64, b: f64, x: f64) -> (f64, f64);
    beta_quantile(a: f64, b: f64, p: f64, upper: bool) -> f64;
    gamma_quantile(shape: f64, p: f64) -> f64;
    normal_cdf(x: f64) -> f64;
    normal_quantile(p: f64) -> f64;
    t_quantile(freedom: f64, p: f64) -> f64;
    t_tails(freedom: f64, t: f64) -> (f64, f64);
}
