"""A value against its distribution under a random ranking."""

import json
import math

import numpy as np
import pytest

from certus import CertusError
from certus.chance.exact import Finite, constant
from certus.chance.monte_carlo import Replicates
from certus.chance.versus import VersusChance

LAW = Finite(np.array([0.0, 0.25, 1.0]), np.log([0.5, 0.3, 0.2]), "enumeration")
"""Its mean is 0.275."""


def test_each_alternative_includes_the_observed_value() -> None:
    assert VersusChance(0.25, LAW, "greater").p == pytest.approx(0.5, rel=1e-15)
    assert VersusChance(0.25, LAW, "less").p == pytest.approx(0.8, rel=1e-15)
    assert VersusChance(1.0, LAW, "two-sided").p == pytest.approx(0.4, rel=1e-15)
    assert VersusChance(0.25, LAW, "two-sided").p == 1.0


def test_chance_corrected_is_0_at_chance_and_1_at_perfect() -> None:
    assert VersusChance(LAW.mean(), LAW).corrected == 0.0
    assert VersusChance(1.0, LAW).corrected == 1.0
    assert VersusChance(0.0, LAW).corrected == pytest.approx(-0.275 / 0.725, rel=1e-15)


def test_where_lower_is_better_the_least_value_is_perfect() -> None:
    assert VersusChance(0.0, LAW, "less", better="lower").corrected == 1.0


def test_the_percentile_counts_half_of_the_atom() -> None:
    assert VersusChance(0.25, LAW).percentile == pytest.approx(100 * (0.5 + 0.15), rel=1e-14)
    assert VersusChance(0.5, LAW).percentile == pytest.approx(80, rel=1e-14)


def test_where_chance_is_perfect_there_is_nothing_to_correct() -> None:
    always = VersusChance(0.5, constant(0.5))
    assert (always.p, always.sd, always.percentile) == (1.0, 0.0, 50.0)
    assert math.isnan(always.corrected)
    assert "corrected" not in str(always)


def test_rounding_leaves_no_room_above_chance() -> None:
    """The mean of drawn values may miss by the last place the one value that all rankings have."""
    best = math.nextafter(0.7, 1.0)
    law = Finite(np.array([0.7, best]), np.log([0.999, 0.001]), "enumeration")
    assert law.mean() < best
    assert math.isnan(VersusChance(math.nextafter(best, 1.0), law).corrected)


def test_the_text_says_value_chance_probability_and_method() -> None:
    lines = str(VersusChance(1.0, LAW, "greater", "AP", "the order of 3 documents")).splitlines()
    assert lines == [
        "AP 1; a random ranking scores 0.275 (sd 0.3783)",
        "P(AP >= 1 by chance) = 0.2  (enumeration, exact)",
        "chance-corrected 1 (0 at chance, 1 at perfect)",
        "percentile 90 of random rankings",
        "random: the order of 3 documents",
    ]
    assert "two-sided p of value 1 = 0.4" in str(VersusChance(1.0, LAW, "two-sided"))
    assert "P(value <= 0 by chance)" in str(VersusChance(0.0, LAW, "less"))
    assert repr(VersusChance(1.0, LAW)) == "<VersusChance: 1, expected 0.275, p 0.2 (enumeration)>"


def test_draws_say_their_error() -> None:
    result = VersusChance(0.9, Replicates(np.linspace(0, 1, 100)), "two-sided", "AP")
    assert (result.method, result.exact) == ("Monte Carlo", False)
    assert result.p.error == 2 * result.null.tail(0.9).error
    assert "Monte Carlo, error 0.2" in str(result)


def test_as_a_dict_it_is_plain_json() -> None:
    held = json.loads(json.dumps(VersusChance(1.0, LAW, "greater", "AP").to_dict()))
    assert held["p"] == pytest.approx(0.2)
    assert (held["method"], held["exact"], held["error"]) == ("enumeration", True, 0.0)


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(CertusError, match="alternative is 'bigger'; it must be 'greater', 'less' or 'two-sided'"):
        VersusChance(1.0, LAW, "bigger")  # type: ignore[arg-type]
    with pytest.raises(CertusError, match="AP is NaN"):
        VersusChance(math.nan, LAW, metric="AP")


def test_a_value_that_only_rounding_tells_from_chance_is_at_chance() -> None:
    from certus.chance import auc

    for pos, neg, ties in ((5, 7, None), (13, 29, None), (3, 3, [2, 2, 2])):
        law = auc(pos, neg, ties)
        for value in (0.5, np.nextafter(0.5, 1), law.mean()):
            assert VersusChance(value, law).corrected == 0
    assert VersusChance(0.5 + 1e-9, auc(5, 7)).corrected > 0


def test_of_clusterings_the_text_says_what_the_divisor_is() -> None:
    result = VersusChance(1.0, LAW, "greater", "Rand", subject="clustering")
    assert "chance-corrected 1 (0 at chance, 1 at the best for these sizes, 1)" in str(result)
