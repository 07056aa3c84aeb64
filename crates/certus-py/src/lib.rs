//! The Python binding of certus-core: borrow, release the GIL, call, return.

mod bootstrap;
mod call;
mod chance;
mod clustering;
mod columns;
mod exact;
mod families;
mod labels;
mod multilabel;
mod probabilities;
mod ranking;
mod read;
mod regression;
mod scores;
mod signflip;
mod special;

use pyo3::prelude::*;

#[pymodule(gil_used = true)]
mod _core {
    use super::*;

    #[pymodule_export]
    use super::bootstrap::{resample_counts, resample_sums};
    #[pymodule_export]
    use super::chance::{
        HitHalves, HitLaw, HitSource, HitSum, HitTilted, conditional_transform, counted_transform,
        pairs_at_least, sums_at_least,
    };
    #[pymodule_export]
    use super::clustering::{
        centroid_distances, centroids, cluster_order, count_cells, expected_information,
        extreme_distances, mean_distances, weighted_distances,
    };
    #[pymodule_export]
    use super::exact::{ExactSums, exact_dot, exact_sum, exact_sum_by_code};
    #[pymodule_export]
    use super::families::{flip_signs, shuffled_ranges};
    #[pymodule_export]
    use super::labels::{
        code_numbers, correlation_of_two, correlation_slopes_of_two, count_pairs, intern_rows,
        intern_strings, mean_of_shares, sum_pairs,
    };
    #[pymodule_export]
    use super::load_array_api;
    #[pymodule_export]
    use super::multilabel::{label_dcg, label_measure};
    #[pymodule_export]
    use super::probabilities::{log_loss, log_losses, uniform_bins};
    #[pymodule_export]
    use super::read::{
        Qrels, Ranked, Run, joined_numbers, rank_file, rank_run, read_bytes, read_start, show,
    };
    #[pymodule_export]
    use super::regression::{
        moments_of, moments_of_absolute_error, moments_of_squared_error, sum_absolute_error,
        sum_squared_error,
    };
    #[pymodule_export]
    use super::scores::{
        ScoreMetric, order_of_codes, score_auc, score_auc_influence, score_auc_of_marks,
        score_auc_of_parts, score_average_precision, score_average_precision_influence,
        score_average_precision_of_marks, score_bootstrap, score_bootstrap_hulls, score_hull,
        score_limits, score_limits_of_parts, score_losses, score_marks, score_marks_into,
        score_metric_of_masses, score_metric_of_rows, score_points, score_ranked, score_sides,
        score_steps, score_sums, score_weighted_auc,
    };
    #[pymodule_export]
    use super::signflip::{chosen_sum_at_least, signed_sum_inverted, signed_sum_listed};
    #[pymodule_export]
    use super::special::{
        beta_quantile, beta_tails, gamma_quantile, normal_cdf, normal_quantile, t_quantile, t_tails,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        ranking::register(module)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// Loads NumPy's C interface while no Ctrl-C can arrive: left to the first kernel called, an interrupt there
/// would be a panic, for the numpy crate takes any error of this step for a broken installation.
#[pyfunction]
fn load_array_api(py: Python<'_>) -> PyResult<()> {
    py.import("numpy")?;
    let signal = py.import("signal")?;
    let Ok(mask) = signal.getattr("pthread_sigmask") else {
        numpy::npyffi::is_numpy_2(py);
        return Ok(());
    };
    let blocked = mask.call1((signal.getattr("SIG_BLOCK")?, [signal.getattr("SIGINT")?]))?;
    numpy::npyffi::is_numpy_2(py);
    mask.call1((signal.getattr("SIG_SETMASK")?, blocked))?;
    Ok(())
}
