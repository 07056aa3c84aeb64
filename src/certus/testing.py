"""Assertions for a test suite: a change has not made a system worse."""

from collections.abc import Iterable
from typing import Any, Literal

from certus.comparison import Comparison, compare, compare_values
from certus.comparison.gate import gate
from certus.errors import CertusError
from certus.metrics import Metric

__all__ = ["assert_not_worse"]

__tracebackhide__ = True


def assert_not_worse(
    system: Any,
    baseline: Any,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    *,
    margin: float | None = None,
    qrels: Any = None,
    y_true: Any = None,
    better: Literal["higher", "lower"] = "higher",
    **options: Any,
) -> Comparison:
    """Assert that a system is not worse than a baseline, as ``certus compare --fail-if-worse`` decides it.

    With a margin it must be shown that the system is less than that worse: the interval of each metric's difference
    must end above ``-margin`` on its bad side. Without one, the assertion fails only if the system is significantly
    worse, and too few units let everything pass. See `certus.comparison.gate.gate`.

    Parameters
    ----------
    system, baseline
        With `qrels`, retrieval runs as `certus.evaluate` takes them; with `y_true`, the predictions of two classifiers;
        otherwise the value of each unit, as two columns or as two ``{unit: value}``.
    metrics
        Names or metrics; of bare values, what they are called.
    margin
        How much worse does not matter, in the metric's own units; None or 0 for none.
    qrels
        Relevance judgments.
    y_true
        True labels.
    better
        Of bare values, whether higher or lower ones are better.
    options
        As `certus.compare` takes them: `test`, `correction`, `level`, `queries`, `pos_label`, ...

    Returns
    -------
    Comparison
        What was found, where the assertion holds.

    Raises
    ------
    AssertionError
        The system is worse, or is not shown not to be; the message has the differences, intervals, margin and p-values.
    CertusError
        The input cannot be compared.

    Examples
    --------
    >>> old = [0.31, 0.42, 0.53, 0.24, 0.35, 0.47]
    >>> new = [0.33, 0.41, 0.56, 0.25, 0.37, 0.49]
    >>> found = assert_not_worse(new, old, margin=0.02)
    >>> assert_not_worse(old, new, "nDCG@10", margin=0.02)
    Traceback (most recent call last):
        ...
    AssertionError: system may be worse than baseline by 0.02 or more in nDCG@10
      nDCG@10: difference -0.0150 [-0.0302, 0.0002], margin 0.02, p = 0.0938, not shown to be within the margin
    """
    given = {"qrels": qrels, "y_true": y_true}
    named = {"baseline": baseline, "system": system}
    asked: dict[str, Any] = {"baseline": "baseline", "margin": margin or None, **options}
    if all(truth is not None for truth in given.values()):
        raise CertusError("qrels and y_true were both given; runs have qrels, predictions have y_true")
    if better != "higher" and any(truth is not None for truth in given.values()):
        raise CertusError("better is for bare values; which values of a metric are better is known")
