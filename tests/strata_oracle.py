"""Slow constructions for strata, in exact rationals: posterior laws, laws of samples, limits by full enumeration."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import accumulate, product
from math import comb

from certus.statistic.sampled import Share, Stratum

Pair = tuple[int, int]
Law = dict[int, Fraction]


def beta_binomial(trials: int, a: Fraction, b: Fraction) -> Law:
    """Rising factorials: ``C(T, x) a^(x) b^(T-x) / (a+b)^(T)``."""

    def rising(start: Fraction, times: int) -> Fraction:
        result = Fraction(1)
        for i in range(times):
            result *= start + i
        return result

    return {
        x: comb(trials, x) * rising(a, x) * rising(b, trials - x) / rising(a + b, trials) for x in range(trials + 1)
    }


def stratum_law(stratum: Stratum, a: Fraction) -> Law:
    """The posterior of the relevant items of a stratum, from the beta-binomial prior on all of them by Bayes' rule."""
    prior = beta_binomial(stratum.size, a, a)
    sample = {m: prior[m] * hypergeometric(stratum.size, stratum.checked, m).get(stratum.hits, 0) for m in prior}
    total = sum(sample.values())
    return {m: mass / total for m, mass in sample.items() if mass}


def hypergeometric(size: int, checked: int, relevant: int) -> Law:
    total = comb(size, checked)
    low, high = max(0, checked - (size - relevant)), min(checked, relevant)
    return {k: Fraction(comb(relevant, k) * comb(size - relevant, checked - k), total) for k in range(low, high + 1)}


def share(of: Share, strata: Iterable[Stratum], counts: Iterable[int]) -> Fraction | None:
    """The share from the relevant items of each stratum; None where it is 0/0."""
    found = missed = predicted = others = 0
    for stratum, count in zip(strata, counts, strict=True):
        if stratum.predicted:
            found, predicted = found + count, predicted + stratum.size
        else:
            missed, others = missed + count, others + stratum.size
    top, bottom = {
        "recall": (found, found + missed),
        "precision": (found, predicted),
        "f1": (2 * found, predicted + found + missed),
        "elusion": (missed, others),
    }[of]
    return Fraction(top, bottom) if bottom else None


def posterior(strata: list[Stratum], of: Share, a: Fraction = Fraction(1, 2)) -> dict[Fraction, Fraction]:
    """The law of the share given that it is defined: every combination of counts."""
    law: dict[Fraction, Fraction] = {}
    for items in product(*(stratum_law(stratum, a).items() for stratum in strata)):
        value = share(of, strata, (count for count, _ in items))
        mass = Fraction(1)
        for _, each in items:
            mass *= each
        if value is not None:
            law[value] = law.get(value, Fraction(0)) + mass
    total = sum(law.values())
    return {value: mass / total for value, mass in sorted(law.items())}


def quantile(law: dict[Fraction, Fraction], q: Fraction) -> Fraction:
    """The least value of which the cdf is at least q."""
    total = Fraction(0)
    for value, mass in law.items():
        total += mass
        if total >= q:
            return value
    raise AssertionError


def cdf(law: dict[Fraction, Fraction]) -> list[float]:
    """The cdf at each value of the law."""
    return [float(each) for each in accumulate(law.values())]


def samples(retrieved: Stratum, discarded: Stratum) -> list[Pair]:
    return list(product(range(retrieved.checked + 1), range(discarded.checked + 1)))


def populations(retrieved: Stratum, discarded: Stratum) -> list[Pair]:
    return list(product(range(retrieved.size + 1), range(discarded.size + 1)))


def coverage(
    retrieved: Stratum, discarded: Stratum, of: Share, interval: Callable[[Pair], tuple[float, float]]
) -> dict[Pair, Fraction]:
    """For each population where the share is defined, the exact probability that the interval holds it."""
    limits = {pair: interval(pair) for pair in samples(retrieved, discarded)}
    covered = {}
    for x, y in populations(retrieved, discarded):
        truth = share(of, (retrieved, discarded), (x, y))
        if truth is None:
            continue
        first = hypergeometric(retrieved.size, retrieved.checked, x)
        second = hypergeometric(discarded.size, discarded.checked, y)
        covered[x, y] = sum(
            (
                p * q
                for j, p in first.items()
                for k, q in second.items()
                if limits[j, k][0] <= float(truth) <= limits[j, k][1]
            ),
            Fraction(0),
        )
    return covered


def region(size: int, checked: int, hits: int, tail: Fraction) -> range:
    """The numbers of relevant items that neither of two tests refutes, each with the error `tail`."""
    laws = [hypergeometric(size, checked, relevant) for relevant in range(size + 1)]
    kept = [
        relevant
        for relevant, law in enumerate(laws)
        if min(sum(p for k, p in law.items() if k >= hits), sum(p for k, p in law.items() if k <= hits)) > tail
    ]
    return range(kept[0], kept[-1] + 1)


def buehler(
    retrieved: Stratum, discarded: Stratum, of: Share, tail: Fraction, spent: Fraction = Fraction(0)
) -> dict[Pair, tuple[Fraction, Fraction]]:
    """For each pair of hits, the limits by their definition: all samples, all populations, in rationals.

    The lower limit is the least share of the populations that give a sample with as high a posterior lower limit with
    more than the probability `tail`; the upper limit likewise. With `spent` it is that of Berger and Boos: populations
    are those of the exact regions of the two counts, and the probability is ``tail - spent``. Limits are moved to the
    shares of the populations that the sample leaves possible.
    """
    below: dict[Pair, Fraction] = {}
    above: dict[Pair, Fraction] = {}
    for j, k in samples(retrieved, discarded):
        strata = [
            Stratum(retrieved.size, retrieved.checked, j),
            Stratum(discarded.size, discarded.checked, k, predicted=False),
        ]
        below[j, k] = quantile(_with_nothing(strata, of, Fraction(0)), tail)
        law = _with_nothing(strata, of, Fraction(1))
        above[j, k] = 1 - quantile(dict(sorted((1 - value, mass) for value, mass in law.items())), tail)
    truths = {pair: share(of, (retrieved, discarded), pair) for pair in populations(retrieved, discarded)}
    laws = {
        (x, y): {
            (j, k): p * q
            for j, p in hypergeometric(retrieved.size, retrieved.checked, x).items()
            for k, q in hypergeometric(discarded.size, discarded.checked, y).items()
        }
        for (x, y), truth in truths.items()
        if truth is not None
    }
    limits = {}
    for seen in below:
        xs, ys = range(retrieved.size + 1), range(discarded.size + 1)
        if spent:
            xs = region(retrieved.size, retrieved.checked, seen[0], spent / 4)
            ys = region(discarded.size, discarded.checked, seen[1], spent / 4)
        possible = [(x, y) for x, y in laws if x in xs and y in ys]
        low = [
            truths[pair]
            for pair in possible
            if sum(mass for sample, mass in laws[pair].items() if below[sample] >= below[seen]) > tail - spent
        ]
        high = [
            truths[pair]
            for pair in possible
            if sum(mass for sample, mass in laws[pair].items() if above[sample] <= above[seen]) > tail - spent
        ]
        left = [
            truth
            for (x, y), truth in truths.items()
            if truth is not None
            and seen[0] <= x <= retrieved.size - retrieved.checked + seen[0]
            and seen[1] <= y <= discarded.size - discarded.checked + seen[1]
        ]
        if low and high and left:  # for nothing is left where the sample shows that the share is undefined
            limits[seen] = max(min(low), min(left)), min(max(high), max(left))  # type: ignore[type-var]
    return limits  # type: ignore[return-value]


def _with_nothing(strata: list[Stratum], of: Share, value: Fraction) -> dict[Fraction, Fraction]:
    """The posterior law of the share, which counts as `value` where nothing is relevant and it is 0/0."""
    law: dict[Fraction, Fraction] = {}
    first, second = (stratum_law(stratum, Fraction(1, 2)) for stratum in strata)
    for x, p in first.items():
        for y, q in second.items():
            each = share(of, strata, (x, y))
            each = value if each is None else each
            law[each] = law.get(each, Fraction(0)) + p * q
    return dict(sorted(law.items()))
