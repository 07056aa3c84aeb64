"""Every stated error is a bound: of a thousand laws against all rankings in exact rationals, each engine in turn."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from chance.oracles import precision_sum

import certus.chance._linear.sampled as sampled
from certus import chance
from certus.chance import Distribution
from certus.chance._linear.gains import best, gains_of, ranks
from certus.chance._linear.smooth import Smooth
from certus.errors import DataError

Atoms = list[tuple[float, Fraction]]
Case = tuple[str, Distribution, Atoms]


def of_hits(n: int, m: int, depth: int, family: str, p: float) -> Atoms:
    """All rankings of m relevant among n items; values that rounding tells apart are not merged."""
    found: Atoms = []
    for hits in combinations(range(1, n + 1), m):
        inside = [t for t in hits if t <= depth]
        if family == "rbp":
            value = math.fsum((1 - p) * p ** (t - 1) for t in inside)
        elif family == "hits":
            value = float(precision_sum(hits, depth) / max(len(inside), 1))
        else:
            value = float(precision_sum(hits, depth) / m)
        found.append((value, Fraction(1, comb(n, m))))
    return found


def of_gains(gains: dict[float, int], depth: int) -> Atoms:
    """All placings of each gain in turn at free ranks."""
    discounts = [1 / math.log2(t + 2) if t < depth else 0.0 for t in range(sum(gains.values()))]
    states: list[tuple[float, tuple[int, ...]]] = [(0.0, tuple(range(len(discounts))))]
    total = 1
    for gain, count in gains.items():
        total *= comb(len(states[0][1]), count)
        states = [
            (value + gain * math.fsum(discounts[t] for t in chosen), tuple(t for t in free if t not in chosen))
            for value, free in states
            for chosen in combinations(free, count)
        ]
    return [(value, Fraction(1, total)) for value, _ in states]


def cases_of_hits(seed: int, count: int) -> Iterator[Case]:
    generator = np.random.default_rng(seed)
    for _ in range(count):
        n = int(generator.integers(5, 13))
        m = int(generator.integers(2, min(n - 1, 6)))
        depth = int(generator.integers(2, n + 1))
        family = str(generator.choice(["ap", "ap@k", "hits", "rbp"]))
        p = float(generator.choice([0.5, 0.8, 0.9, 0.95]))
        depth = n if family in ("ap", "rbp") else depth
        for method in ("fourier", "saddlepoint"):
            if family == "rbp":
                law = chance.rbp(n, m, p, method=method)
            else:
                law = chance.average_precision(n, m, depth, "hits" if family == "hits" else "relevant", method=method)
            yield f"{family} {n} {m} {depth} {p} {method}", law, of_hits(n, m, depth, family, p)


def cases_of_gains(seed: int, count: int) -> Iterator[Case]:
    generator = np.random.default_rng(seed)
    for _ in range(count):
        n = int(generator.integers(5, 11))
        kinds = int(generator.integers(1, 4))
        counts = generator.multinomial(min(n - 1, 5), np.ones(kinds) / kinds)
        grades = {grade: int(c) for grade, c in enumerate(counts.tolist(), 1) if c}
        grades[0] = n - sum(grades.values())
        depth = int(generator.integers(2, n + 1))
        gains = gains_of(grades, str(generator.choice(["linear", "exp"])))
        seen = ranks(n, depth)
        atoms = of_gains(gains, depth)
        for engine in ("fourier", "Monte Carlo", "saddlepoint"):
            law = Smooth(gains, seen, 1 / best(gains, seen))
            law.__dict__ |= {"_inverted": engine == "fourier", "_drawable": engine == "Monte Carlo"}
            yield f"{grades} {depth} {engine}", law, [(v / best(gains, seen), p) for v, p in atoms]


def beyond(law: Distribution, atoms: Atoms, generator: np.random.Generator) -> Iterator[tuple[float, str]]:
    """By how much each answer leaves its bound, as a multiple of it, at atoms and right beside them."""
    low, high = law.support()
    place = atoms[int(generator.integers(len(atoms)))][0]
    aside = float(generator.choice([-1, 1])) * (high - low) * 10 ** -float(generator.uniform(1.5, 9))
    for x in (place, place + aside):
        if not low < x < high:
            continue
        slack = 1e-11 * (high - low)
        truth = {
            "tail": sum((p for v, p in atoms if v >= x - slack), Fraction(0)),
            "sf": sum((p for v, p in atoms if v > x + slack), Fraction(0)),
            "cdf": sum((p for v, p in atoms if v <= x + slack), Fraction(0)),
        }
        for question, exact in truth.items():
            p = getattr(law, question)(x)
            yield (
                abs(float(p) - float(exact)) / (p.error + 1e-13),
                f"{question}({x}) = {p!r} +- {p.error}, {float(exact)}",
            )


def check(cases: Iterator[Case], seed: int) -> int:
    generator = np.random.default_rng(seed)
    laws = 0
    for name, law, atoms in cases:
        try:
            found = list(beyond(law, atoms, generator))
        except DataError:  # a forced engine that cannot reach says so
            continue
        laws += 1
        for ratio, what in found:
            assert ratio <= 1, (name, what)
    return laws


@pytest.mark.parametrize("seed", range(4))
def test_errors_of_laws_of_hits_are_bounds(seed: int) -> None:
    assert check(cases_of_hits(seed, 75), seed) >= 145


@pytest.mark.parametrize("seed", range(4))
def test_errors_of_graded_laws_are_bounds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampled, "DRAWS", 2048)
    assert check(cases_of_gains(seed, 50), seed) == 150
