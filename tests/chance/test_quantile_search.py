"""The search for the quantiles of a law of which only tails can be asked."""

import math

import pytest
from scipy import stats

from certus.transform.quantile import quantile


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("shape", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("q", [1e-3, 0.025, 0.5, 0.975, 0.999])
def test_a_skewed_law_is_asked_few_questions(shape: float, q: float, sign: float) -> None:
    law = stats.lognorm(shape, scale=2.0)
    asked = []

    def logs(x: float) -> tuple[float, float]:
        asked.append(x)
        below, above = float(law.logcdf(sign * x)), float(law.logsf(sign * x))
        return (below, above) if sign > 0 else (above, below)

    mean, var, skewness = map(float, law.stats("mvs"))
    support = (0.0, 1e3) if sign > 0 else (-1e3, 0.0)
    found = quantile(logs, q, True, support, (sign * mean, math.sqrt(var), sign * skewness), None)
    assert found == pytest.approx(sign * float(law.ppf(q if sign > 0 else 1 - q)), rel=1e-9)
    assert len(asked) <= (2 if skewness > 1 else 9)


def test_a_law_without_skewness_starts_from_the_normal_one() -> None:
    law, asked = stats.norm(3.0, 2.0), []

    def logs(x: float) -> tuple[float, float]:
        asked.append(x)
        return float(law.logcdf(x)), float(law.logsf(x))

    for skewness in (0.0, math.nan):
        asked.clear()
        assert quantile(logs, 0.9, True, (-50.0, 50.0), (3.0, 2.0, skewness), None) == pytest.approx(law.ppf(0.9))
        assert len(asked) == 1
