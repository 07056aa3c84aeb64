//! Kernels over many parts of the samples at once.

use certus_core::scores as core;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Column;
use super::wide::on_width;
use crate::call::call;

type Order<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

#[pyfunction]
pub fn order_of_codes<'py>(
    py: Python<'py>,
    codes: PyReadonlyArray1<'py, u32>,
    size: usize,
) -> PyResult<Order<'py>> {
    let codes = codes.as_slice()?;
    let found = call(py, || core::order_of_codes(codes, size))?;
    let (order, ends) = found.map_err(PyValueError::new_err)?;
    Ok((order.into_pyarray(py), ends.into_pyarray(py)))
}

/// Of each part the positives and negatives, the area's counts, and the losses of both classes; then those parts whose
/// counts doubles do not hold.
type Areas<'py> = (
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Vec<(usize, u128, u128, u128)>,
);

/// Counts up to here are exact in doubles, and so are four times as many.
const EXACT: u128 = 1 << 51;

#[pyfunction]
pub fn score_auc_of_parts<'py>(
    py: Python<'py>,
    scores: Column<'py>,
    truth: PyReadonlyArray1<'py, bool>,
    codes: PyReadonlyArray1<'py, u32>,
    size: usize,
) -> PyResult<Areas<'py>> {
    let (truth, codes) = (truth.as_slice()?, codes.as_slice()?);
    let found = on_width!(scores, |s| call(py, || core::auc_of_parts(
        s, truth, codes, size
    ))?);
    let found = found.map_err(PyValueError::new_err)?;
    let (mut counts, mut losses, mut large) = (Vec::new(), Vec::new(), Vec::new());
    counts.reserve_exact(5 * found.len());
    losses.reserve_exact(6 * found.len());
    for (place, part) in found.iter().enumerate() {
        let auc = [part.auc.twice_wins, part.auc.positives, part.auc.negatives];
        let (m, n) = (part.positives as u128, part.negatives as u128);
        counts.extend([part.positives as f64, part.negatives as f64]);
        counts.extend(auc.map(|count| count as f64));
        losses.extend(
            part.losses
                .iter()
                .flat_map(|lost| [lost.beyond, lost.mean, lost.greatest]),
        );
        if m * m * n * n >= EXACT {
            large.push((place, auc[0], auc[1], auc[2]));
        }
    }
    Ok((
        counts.into_pyarray(py).reshape([size, 5])?,
        losses.into_pyarray(py).reshape([size, 6])?,
        large,
    ))
}

type Pair = (f64, f64);

#[pyfunction]
#[pyo3(signature = (area, sizes, variances, freedoms, losses, tail))]
pub fn score_limits(
    area: f64,
    sizes: Pair,
    variances: Pair,
    freedoms: Pair,
    losses: Option<Vec<(f64, f64, f64)>>,
    tail: f64,
) -> PyResult<Option<(f64, f64, bool)>> {
    let sample = |size, variance, freedom| core::AreaSample {
        size,
        variance,
        freedom,
    };
    let samples = [
        sample(sizes.0, variances.0, freedoms.0),
        sample(sizes.1, variances.1, freedoms.1),
    ];
    let losses = losses.map(|known| match known[..] {
        [first, second] => Some(
            [first, second].map(|(beyond, mean, greatest)| core::Losses {
                beyond,
                mean,
                greatest,
            }),
        ),
        _ => None,
    });
    let found =
        core::limits_of_area(area, &samples, losses, tail).map_err(PyValueError::new_err)?;
    Ok(found.map(|limits| (limits.low, limits.high, limits.far)))
}

type Limits<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
);

#[pyfunction]
pub fn score_limits_of_parts<'py>(
    py: Python<'py>,
    areas: PyReadonlyArray1<'py, f64>,
    sizes: PyReadonlyArray2<'py, f64>,
    variances: PyReadonlyArray2<'py, f64>,
    losses: PyReadonlyArray2<'py, f64>,
    tail: f64,
) -> PyResult<Limits<'py>> {
    let (areas, sizes) = (areas.as_slice()?, sizes.as_slice()?);
    let (variances, losses) = (variances.as_slice()?, losses.as_slice()?);
    let whole = 2 * areas.len();
    if sizes.len() != whole || variances.len() != whole || losses.len() != 3 * whole {
        return Err(PyValueError::new_err(
            "each area needs two sizes, two variances and six losses",
        ));
    }
    let sample = |place: usize| core::AreaSample {
        size: sizes[place],
        variance: variances[place],
        freedom: sizes[place] - 1.0,
    };
    let lost = |place: usize| core::Losses {
        beyond: losses[3 * place],
        mean: losses[3 * place + 1],
        greatest: losses[3 * place + 2],
    };
    let each = |(part, area): (usize, &f64)| {
        let places = [2 * part, 2 * part + 1];
        (*area, places.map(sample), places.map(lost))
    };
    let found = call(py, || {
        let parts: Vec<_> = areas.iter().enumerate().map(each).collect();
        core::score_limits(&parts, tail)
    })?;
    let found = found.map_err(PyValueError::new_err)?;
    let column = |value: fn(&core::AreaLimits) -> f64| {
        found.iter().map(value).collect::<Vec<_>>().into_pyarray(py)
    };
    Ok((
        column(|limits| limits.low),
        column(|limits| limits.high),
        found
            .iter()
            .map(|limits| limits.far)
            .collect::<Vec<_>>()
            .into_pyarray(py),
    ))
}

#[pyfunction]
pub fn score_losses(
    py: Python<'_>,
    positives: Column<'_>,
    negatives: Column<'_>,
) -> PyResult<Vec<(f64, f64, f64)>> {
    let found: PyResult<_> = on_width!(positives, negatives, |p, n| call(py, || {
        core::losses_of_sides(p, n)
    }));
    let found = found?.map_err(PyValueError::new_err)?;
    Ok(found
        .map(|lost| (lost.beyond, lost.mean, lost.greatest))
        .to_vec())
}
