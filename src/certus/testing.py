"""Assertions for a test suite: a change has not made a system worse."""

from math import isnan
from typing import Any, Literal

from certus.comparison import Comparison, compare_values
from certus.comparison.gate import gate
from certus.comparison.row import Difference
from certus.core.errors import CertusError
from certus.core.printable import rounded_limits
from certus.entry import compare
from certus.metrics.names import Metrics
from certus.statistic.common import plural

__all__ = ["assert_not_worse"]


def __dir__() -> list[str]:
    return __all__


def assert_not_worse(
    system: Any,
    baseline: Any,
    metrics: Metrics | None = None,
    *,
    qrels: Any = None,
    y_true: Any = None,
    better: Literal["higher", "lower"] | None = None,
    margin: float | None = None,
    identical_passes: bool = False,
    unpaired_passes: bool = False,
    **options: Any,
) -> Comparison:
    """Assert that a system is not worse than a baseline, as ``certus compare --fail-if-worse`` decides it.

    With a margin it must be shown that the system is less than that worse: the interval of each metric's difference
    must end above ``-margin`` on its bad side. Without one, the assertion fails only if the system is significantly
    worse, and with too few units it always holds. `certus.comparison.gate.gate` has the rule.

    Parameters
    ----------
    system, baseline
        With `qrels`, retrieval runs as `certus.evaluate` takes them; with `y_true`, the predictions of two classifiers;
        without either, a value for each unit, as two columns or as two ``{unit: value}``.
    metrics
        Names or metrics; None takes those that `certus.compare` does. Of bare values, what to call them.
    qrels
        Relevance judgments.
    y_true
        True labels.
    better
        Of bare values, whether ``"higher"`` (None) or ``"lower"`` ones are better.
    margin
        How much worse does not matter, in the metric's own units; None or 0 for none.
    identical_passes
        With a margin: True lets a system pass that is equal to the baseline on every unit, however few they are.
    unpaired_passes
        True: units that only one of the two has are left out, and the others decide. By default the assertion fails if
        there are such. `queries` decides it for runs: ``"judged"`` counts missing queries as 0, ``"intersection"``
        leaves them out.
    options
        As `certus.compare` takes them: `value_range` and `assume` for the limits that a margin is decided by, `test`,
        `correction`, `level`, `queries`, `pos_label`, ...

    Returns
    -------
    Comparison
        What was found, where the assertion holds.

    Raises
    ------
    AssertionError
        The system is worse, or not shown not to be; the message has the differences, intervals, margin and p-values.
    CertusError
        The input cannot be compared.

    Examples
    --------
    >>> old = [0, 1, 1, 1, 1] * 20
    >>> new = [1, 1, 1, 1, 1] + old[5:]
    >>> found = assert_not_worse(new, old, margin=0.05)
    >>> assert_not_worse(old, new, margin=0.05)
    Traceback (most recent call last):
        ...
    AssertionError: system may be worse than baseline by 0.05 or more in value: difference -0.0100 [-0.0545, 0.0276]
      value: -0.0100 [-0.0545, 0.0276] 95% interval, p = 1, 100 units: fails at margin 0.05
    """
    __tracebackhide__ = True  # pytest shows the line of the test instead of this file
    compare_options: dict[str, Any] = {"margin": margin or None, **options, "baseline": "baseline"}
    systems = {"baseline": baseline, "system": system}
    if qrels is not None and y_true is not None:
        raise CertusError("qrels and y_true are both given", "give qrels with runs, y_true with predictions")
    if better is not None and not (qrels is None and y_true is None):
        raise CertusError(f"is {better!r}, but metrics know it", "it is for bare values only", argument="better")
    if qrels is not None:
        comparison = compare(qrels, systems, metrics, **compare_options)
    elif y_true is not None:
        comparison = compare(y_true, systems, metrics, **{"task": "classification", **compare_options})
    elif better is None:
        comparison = compare(None, systems, metrics, **compare_options)
    else:
        comparison = compare_values(
            systems, "value" if metrics is None else str(metrics), better=better, **compare_options
        )
    unpaired_passes = unpaired_passes or "queries" in options
    answer = gate(comparison, identical_passes=identical_passes, unpaired_passes=unpaired_passes)
    if not answer.holds:
        lines = [answer.reason.removeprefix("gate fails: ")]
        lines += [f"  {_line(row, row in answer.failed)}" for row in comparison.rows]
        raise AssertionError("\n".join(lines))
    return comparison


def _line(row: Difference, failed: bool) -> str:
    none = isnan(row.low) or isnan(row.high)
    low, high = rounded_limits(row.low, row.high, row.margin or 0.0)
    limits = "no interval" if none else f"[{low}, {high}] {100 * row.level:g}% interval"
    p = "no p-value" if isnan(row.p) else f"p = {row.p:.3g}"
    margin_text = "" if row.margin is None else f" at margin {row.margin:g}"
    verdict = f"{p}, {plural(row.n, row.unit)}: {'fails' if failed else 'passes'}{margin_text}"
    return f"{row.metric}: {rounded_limits(row.difference, row.difference)[0]} {limits}, {verdict}"
