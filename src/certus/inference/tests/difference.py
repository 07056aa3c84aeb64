"""The difference of two systems, by the form of their statistics."""

from numpy.typing import ArrayLike

from certus.core.errors import CertusError, DataError
from certus.inference.clusters import clusters_of, over_clusters
from certus.inference.declare import form_of
from certus.inference.estimate import Estimate
from certus.inference.interval import DEFAULT_REPLICATES, Request, check_alternative, checked_level
from certus.inference.tests.joint_table import COUNTS_ALONE
from certus.inference.tests.means import UNBOUNDED
from certus.inference.tests.pairs import PAIRS, independent_pair, missing_of
from certus.inference.tests.result import Alternative, DifferenceOptions, LimitsFor, Paired, of_difference
from certus.statistic import Proportion, Statistic, TableFunction
from certus.statistic.common import Bounds, Resample, plural


def difference(
    a: Statistic | Estimate,
    b: Statistic | Estimate,
    *,
    paired: bool = True,
    groups: ArrayLike | None = None,
    test: str | None = None,
    limits: LimitsFor | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    interval: str | None = None,
    bounds: Bounds = UNBOUNDED,
    unit: str | None = None,
    resample: Resample | None = None,
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
) -> Paired:
    """Compare two systems by what a metric gave for each, chosen by the form of that and never by the metric.

    Parameters
    ----------
    a, b
        The same metric of two systems, as estimates or statistics. Paired, unit i of both is the same unit: the same
        query, sample or group. Counts alone, such as those of `Proportion` or of a confusion matrix, do not pair up;
        estimates of metrics of labels know their samples.
    paired
        False: the systems were run on units that have nothing to do with each other, such as two test sets.
    groups
        The cluster of each unit of both; clusters, not units, are then independent. For means and ratios over units,
        and for estimates of metrics of labels; of other forms give the groups to the metrics.
    test
        The test; None takes the first that the form has.

        - Means: ``"permutation-hall"``, ``"permutation"``, ``"t"``, ``"hall"``, ``"bootstrap-t"``, ``"wilcoxon"``,
          ``"sign"``, as `paired` has them; of values that are all 0 or 1 before these ``"mcnemar"``. Of geometric means
          they are of the logarithms, and the permutation test is that of the geometric means too.
        - Ratios of sums of one denominator, such as means over groups: ``"permutation-hall"``, ``"permutation"``,
          ``"t"`` (the CR2 error), ``"hall"``. Of others ``"t"`` (linearised), ``"permutation"`` (units trade places).
        - Functions of cell counts: for differences of shares such as accuracy ``"mcnemar"`` (exact); ``"t"`` (the
          delta method on the joint table, with groups or weights the CR2 error), ``"permutation"`` (the predictions of
          a sample, or of a whole group, trade places; exact where the choices can be listed), and for shares
          ``"mid-p"`` and ``"mcnemar-score"``.
        - Values with influence functions (AUC, AP): ``"t"`` with Satterthwaite's degrees of freedom; of two AUC it is
          DeLong's comparison with Student's quantile.
        - Functions of weighted units: ``"bootstrap"``, ``"t"`` (jackknife).
        - Not paired: ``"t"`` (Welch, the squared errors added), for proportions before that ``"score"``.
    limits
        What the limits of means are for where `test` is None, see `paired`.
    alternative
        ``"two-sided"``; ``"greater"``: a has the higher value; ``"less"``: b has.
    level
        The level of the interval.
    interval
        Another interval method than that of the test, one of ``difference.methods``; it may disagree with the test.
        None takes that of the test, which excludes 0 if and only if p is at most 1 less the level; tests in which
        predictions trade places have none.
    bounds
        Least and greatest possible value of the metric; those of the estimates, unless given.
    unit
        What a unit is called; None: as in the statistics.
    resample
        Bootstrap replicates of the difference, where they are known, for values with influence functions.
    replicates, seed
        For the tests that draw at random.

    Returns
    -------
    Paired
        Equal systems have a difference of exactly 0 and p = 1, for every form and test. A value that is undefined or
        infinite gives a difference of NaN, with the reason.

    Raises
    ------
    CertusError
        The two are not of one metric or form, the form cannot be compared, or it does not say which units are shared.
    DataError
        The units do not pair up.
    MetricNameError
        The form has no such test or interval.

    Examples
    --------
    >>> from certus.statistic import Ratio
    >>> found = difference(Ratio([3, 4, 2], [5, 5, 5]), Ratio([2, 3, 2], [4, 5, 6]))
    >>> round(found.difference.value, 4), round(found.p, 4)
    (0.1333, 0.0579)
    >>> print(difference(Proportion(45, 50), Proportion(30, 40), paired=False))
    difference 0.1500 [-0.0051, 0.3167]  95% score test inverted, 90 samples
    p = 0.05778 (score test, normal)
    """
    check_alternative(alternative)
    a, b, bounds, own_unit = operands(a, b, bounds, paired=paired)
    if groups is not None:
        a, b = _grouped(a, b, groups, paired=paired)
        own_unit = a.unit
    request = Request(checked_level(level), of_difference(bounds), replicates, seed, side=alternative)
    options = DifferenceOptions(test, interval, bounds, unit or own_unit, request, limits, resample)
    if not paired:
        return independent_pair(a, b, options)
    for form, compare in PAIRS.items():
        if isinstance(a, form) and isinstance(b, form):
            if form is not TableFunction:
                _check_pairs(a.n, b.n, a.unit)
            return missing_of(a, b, options) or compare(a, b, options)
    if isinstance(a, Proportion) and isinstance(b, Proportion):
        raise CertusError(*COUNTS_ALONE)
    missing = missing_of(a, b, options)
    if missing is not None:
        return missing
    forms = " and ".join(dict.fromkeys(form_of(statistic).name for statistic in (a, b)))
    raise CertusError(f"there is no paired comparison of {forms}")


def _grouped(a: Statistic, b: Statistic, groups: ArrayLike, *, paired: bool) -> tuple[Statistic, Statistic]:
    """Both statistics over the same clusters of their units."""
    if not paired:
        raise CertusError(
            "are of the units that a and b share", "with paired=False give them to the metrics", argument="groups"
        )
    _check_pairs(a.n, b.n, a.unit)
    clusters = clusters_of(a.n, groups, None)
    grouped = []
    for statistic in (a, b):
        sums = statistic if clusters is None else over_clusters(statistic, clusters)
        if sums is None:
            raise CertusError(
                f"{form_of(statistic).name} does not say what each unit adds", "give groups to the metrics"
            )
        grouped.append(sums)
    return grouped[0], grouped[1]


def _check_pairs(a: int, b: int, unit: str) -> None:
    """Refuse units that do not pair up."""
    if a != b:
        raise DataError(
            f"has {plural(a, unit)} but b has {b}",
            "they must pair up one to one, or give paired=False for two independent samples",
            argument="a",
        )


def operands(
    a: Statistic | Estimate, b: Statistic | Estimate, bounds: Bounds, *, paired: bool
) -> tuple[Statistic, Statistic, Bounds, str]:
    """Both statistics, the least and greatest value of their metric, and the unit."""
    # Paired estimates of one metric that keep counts give statistics that say which samples they are made of.
    estimates = [estimate for estimate in (a, b) if isinstance(estimate, Estimate)]
    names = list(dict.fromkeys(estimate.metric for estimate in estimates if estimate.metric))
    if len(names) > 1:
        raise CertusError(
            f"is {names[0]} but b is {names[1]}",
            "give the same metric of both, or a.statistic and b.statistic where two metrics are meant",
            argument="a",
        )
    first, second = (estimate.statistic if isinstance(estimate, Estimate) else estimate for estimate in (a, b))
    unit = first.unit
    samples = [estimate.predictions for estimate in estimates if estimate.predictions is not None]
    if paired and len(samples) == 2:
        first, second, unit = samples[0].joint_statistics(samples[1])
    if paired and estimates and first.unit != second.unit:
        raise DataError(
            f"the units of a are of the kind {first.unit!r} but those of b {second.unit!r}",
            "paired values must be of the same units, or give paired=False for two independent samples",
        )
    if bounds == UNBOUNDED and estimates:
        bounds = min(estimate.bounds[0] for estimate in estimates), max(estimate.bounds[1] for estimate in estimates)
    return first, second, bounds, unit
