"""A printed value stands for every value that rounds to it: in every law, on both sides."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import log2

import numpy as np
import pytest
from chance.oracles import average_precision, precision_sum
from chance_laws_oracle import law_of

from certus import DataError, chance
from certus.chance import Distribution
from certus.chance.versus import VersusChance

N, M = 8, 3
Ranks = tuple[int, ...]


def bpref(ranks: Ranks) -> Fraction:
    """With all others judged."""
    above = [rank - i for i, rank in enumerate(ranks, 1)]
    return sum((1 - Fraction(min(each, M), min(N - M, M)) for each in above), Fraction(0)) / M


def auc(ranks: Ranks) -> Fraction:
    return 1 - Fraction(sum(rank - i for i, rank in enumerate(ranks, 1)), M * (N - M))


def list_score(ranks: Ranks) -> Fraction:
    p, k = ranks[-1], len(ranks)
    return Fraction(1) if p == k else Fraction(k, p) + Fraction(2 * (p * (p + 1) // 2 - sum(ranks)), 10 * p * (p - 1))


def of_ranks(metric: Callable[[Ranks], float | Fraction]) -> list[tuple[float, float]]:
    return [(float(value), float(p)) for value, p in law_of(metric, N, M).items()]


def topics() -> list[tuple[float, float]]:
    each = average_precision(6, 2)
    return [(float((a + b) / 2), float(p * q)) for (a, p), (b, q) in product(each.items(), each.items())]


LAWS: dict[str, tuple[Distribution, list[tuple[float, float]]]] = {
    "AP": (chance.average_precision(N, M), of_ranks(lambda r: precision_sum(r, N) / M)),
    "AP@4": (chance.average_precision(N, M, 4), of_ranks(lambda r: precision_sum(r, 4) / M)),
    "AP by inversion": (
        chance.average_precision(40, 20, engine="fourier"),
        [],
    ),
    "DCG": (chance.dcg({1: M, 0: N - M}), of_ranks(lambda r: sum(1 / log2(t + 1) for t in r))),
    "nDCG": (
        chance.ndcg({2: M, 0: N - M}),
        of_ranks(lambda r: sum(1 / log2(t + 1) for t in r) / sum(1 / log2(t + 1) for t in range(1, M + 1))),
    ),
    "RBP": (chance.rbp(N, M, 0.8), of_ranks(lambda r: sum(Fraction(1, 5) * Fraction(4, 5) ** (t - 1) for t in r))),
    "AUC": (chance.auc(M, N - M), of_ranks(auc)),
    "bpref": (chance.bpref(relevant=M, nonrelevant=N - M), of_ranks(bpref)),
    "RR": (chance.reciprocal_rank(N, M), of_ranks(lambda r: Fraction(1, r[0]))),
    "hits": (chance.hits(N, M, 4), of_ranks(lambda r: sum(t <= 4 for t in r))),
    "R@4": (chance.recall(N, M, 4), of_ranks(lambda r: Fraction(sum(t <= 4 for t in r), M))),
    "s": (chance.list_score(N, M, 10), of_ranks(list_score)),
    "rank": (chance.hit_rank(N, M, 2), of_ranks(lambda r: r[1])),
    "MAP": (chance.mean_of([chance.average_precision(6, 2)] * 2), topics()),
}
EXACT = [name for name, (_, atoms) in LAWS.items() if atoms]


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("digits", [1, 2, 4])
def test_a_printed_value_meets_every_atom_that_rounds_to_it(name: str, digits: int) -> None:
    law, atoms = LAWS[name]
    half = Fraction(1, 2 * 10**digits)
    for printed in {f"{value:.{digits}f}" for value, _ in atoms}:
        x, exactly = float(printed), Fraction(printed)
        low, high = float(exactly - half) - 1e-11, float(exactly + half) + 1e-11
        atleast = sum(p for value, p in atoms if value >= low)
        atmost = sum(p for value, p in atoms if value <= high)
        here = sum(p for value, p in atoms if low <= value <= high)
        assert law.tail(x, digits=digits) == pytest.approx(atleast, abs=1e-12)
        assert law.cdf(x, digits=digits) == pytest.approx(atmost, abs=1e-12)
        assert law.sf(x, digits=digits) == pytest.approx(1 - atmost, abs=1e-12)
        assert law.pmf(x, digits=digits) == pytest.approx(here, rel=1e-9)
        assert np.exp(law.logtail(x, digits=digits)) == pytest.approx(atleast, abs=1e-12)
        assert law.tail([x, x], digits=digits).tolist() == [law.tail(x, digits=digits)] * 2
        for side, p in (("greater", atleast), ("less", atmost), ("two-sided", min(1, 2 * min(atleast, atmost)))):
            assert VersusChance(x, law, side, digits=digits).p == pytest.approx(p, abs=1e-12)  # type: ignore[arg-type]
        percentile = VersusChance(x, law, digits=digits).percentile
        assert percentile == pytest.approx(100 * (1 - atleast + here / 2), abs=1e-9)


def test_the_issue_s_value() -> None:
    """P(AP >= 11/12) = 2/56 of 8 items, 3 of them relevant."""
    law = chance.average_precision(8, 3)
    assert law.tail(0.9167) == pytest.approx(1 / 56)
    assert law.tail(0.9167, digits=4) == law.tail(11 / 12) == pytest.approx(2 / 56)


def test_what_an_inversion_gives_of_a_rounded_value_is_its_value_at_the_ends() -> None:
    law, _ = LAWS["AP by inversion"]
    assert law.tail(0.6, digits=2) == law.tail(0.595)
    assert law.cdf(0.6, digits=2) == law.cdf(0.605)
    assert law.pmf(0.6, digits=2) == pytest.approx(law.tail(0.595) - law.tail(0.605), rel=1e-6)


def test_the_answer_says_what_a_rounded_value_stands_for() -> None:
    result = VersusChance(0.9, chance.average_precision(8, 3), digits=3)
    assert "P(value >= 0.900 by chance)" in str(result)
    assert "0.900 stands for every value that rounds to it: 0.8995 to 0.9005" in str(result)
    assert result.to_dict()["digits"] == 3
    assert "stands for" not in str(VersusChance(0.9, chance.average_precision(8, 3)))


@pytest.mark.parametrize("digits", [-1, 1.5, True])
def test_digits_are_a_whole_number(digits: int) -> None:
    with pytest.raises(DataError, match=r"^digits is .*; it must be a whole number of at least 0$"):
        chance.hits(3, 1, 1).tail(1, digits=digits)
    with pytest.raises(DataError, match=r"^digits is"):
        VersusChance(1.0, chance.hits(3, 1, 1), digits=digits)
