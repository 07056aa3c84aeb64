"""p-values adjusted for their number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from certus import DataError, MetricNameError
from certus.inference import adjust
from certus.inference.many.adjust import CORRECTIONS

P = st.lists(st.floats(0, 1), min_size=1, max_size=8)


def rejected(p: list[float], alpha: float, method: str) -> list[bool]:
    """The step procedures as their papers word them: which hypotheses are rejected at alpha."""
    n = len(p)
    order = sorted(range(n), key=lambda i: p[i])
    harmonic = sum(1 / i for i in range(1, n + 1))
    limits = {
        "bonferroni": [alpha / n] * n,
        "holm": [alpha / (n - i) for i in range(n)],
        "hochberg": [alpha / (n - i) for i in range(n)],
        "bh": [alpha * (i + 1) / n for i in range(n)],
        "by": [alpha * (i + 1) / n / harmonic for i in range(n)],
    }[method]
    below = [p[order[i]] <= limits[i] for i in range(n)]
    if method == "bonferroni":
        kept = sum(below)
    elif method == "holm":
        kept = below.index(False) if False in below else n
    else:
        kept = n - below[::-1].index(True) if True in below else 0
    return [order.index(i) < kept for i in range(n)]


@pytest.mark.parametrize("method", ["bonferroni", "holm", "hochberg", "bh", "by"])
@given(p=P, alpha=st.floats(0.001, 0.6))
def test_adjusted_values_of_at_most_alpha_are_what_the_procedure_rejects(
    method: str, p: list[float], alpha: float
) -> None:
    adjusted = adjust(p, method)
    if np.abs(adjusted - alpha).min() > 1e-9:  # not decided by rounding
        assert (adjusted <= alpha).tolist() == rejected(p, alpha, method)


@given(P)
def test_false_discovery_rates_are_scipys(p: list[float]) -> None:
    assert adjust(p, "bh") == pytest.approx(false_discovery_control(p), abs=1e-14)
    assert adjust(p, "by") == pytest.approx(false_discovery_control(p, method="by"), abs=1e-14)


@pytest.mark.parametrize("method", [each.name for each in CORRECTIONS.values() if not each.joint])
@given(p=P)
def test_adjusting_never_lowers_a_p_value_nor_changes_their_order(method: str, p: list[float]) -> None:
    adjusted = adjust(p, method)
    assert (adjusted >= p).all()
    assert (adjusted <= 1).all()
    assert (np.diff(adjusted[np.argsort(p, kind="stable")]) >= 0).all()
    if len(p) == 1:
        assert adjusted.tolist() == p


def test_names_in_use_are_understood_and_others_refused() -> None:
    assert adjust([0.01, 0.5], "Benjamini_Hochberg").tolist() == adjust([0.01, 0.5], "bh").tolist()
    with pytest.raises(MetricNameError, match="no correction is named 'guess'; there are holm, "):
        adjust([0.1], "guess")


@pytest.mark.parametrize(
    ("p", "message"),
    [([0.1, 1.2], "p holds 1.2"), ([float("nan")], "p holds nan"), ([[0.1]], "p has 2 dimensions"), (0.1, "0 dim")],
)
def test_what_is_not_a_column_of_p_values_is_refused(p: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        adjust(p)  # type: ignore[arg-type]


def test_no_p_values_give_none() -> None:
    assert adjust([]).tolist() == []
