"""Exact coverage of the intervals for recall from two samples: every pair of hits, no simulation.

python bench/coverage/two_samples.py            the tables of docs/audit-two-samples.md (about two minutes)
python bench/coverage/two_samples.py small      the small populations alone

Buehler's limits and those of Berger and Boos are made here by their definition: samples are added one by one, in the
order of their posterior limits, to the probability of "at least as extreme" of all populations at once.
"""

import math
import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.audit import two_samples
from certus.inference.finite.hypergeometric import count_limits, hypergeometric_rows
from certus.inference.intervals.strata import REGION_ERROR_PART

Floats = NDArray[np.float64]
Interval = tuple[float, float]

TAIL = 0.025
Z = 1.959963984540054


class Design(NamedTuple):
    """Sizes of the two sides and of their samples."""

    retrieved: int
    retrieved_checked: int
    discarded: int
    discarded_checked: int


def dense(size: int, checked: int) -> Floats:
    """The law of the hits for each number of relevant items: (size + 1, checked + 1)."""
    rows = hypergeometric_rows(size, checked, np.arange(size + 1))
    table = np.zeros((size + 1, checked + 1 + rows.mass.shape[1]))
    k = rows.start[:, np.newaxis] + np.arange(rows.mass.shape[1])
    np.put_along_axis(table, k, rows.mass, axis=1)
    return table[:, : checked + 1]


def recall(design: Design) -> Floats:
    """Recall of each population (x, y); NaN without a relevant item."""
    x, y = np.arange(design.retrieved + 1)[:, np.newaxis], np.arange(design.discarded + 1)
    with np.errstate(invalid="ignore"):
        return np.asarray(x / (x + y))


def of_audit(design: Design, method: str, prior: str = "jeffreys") -> Callable[[int, int], Interval]:
    """The interval of an audit; for a sample without a hit, where recall has no value, all of [0, 1]."""

    def interval(j: int, k: int) -> Interval:
        if j + k == 0:
            return 0.0, 1.0
        audit = two_samples(
            retrieved=design.retrieved,
            retrieved_checked=design.retrieved_checked,
            retrieved_hits=j,
            discarded=design.discarded,
            discarded_checked=design.discarded_checked,
            discarded_hits=k,
            interval=method,
            prior=prior,
        )
        return audit.recall.interval()[:2]

    return interval


def delta(design: Design, *, logit: bool) -> Callable[[int, int], Interval]:
    """Normal interval by the delta method, of recall itself or of its logit; [0, 1] where it has no width."""

    def interval(j: int, k: int) -> Interval:
        audit = two_samples(
            retrieved=design.retrieved,
            retrieved_checked=design.retrieved_checked,
            retrieved_hits=j,
            discarded=design.discarded,
            discarded_checked=design.discarded_checked,
            discarded_hits=k,
        )
        value, error = audit.recall.value, audit.recall.standard_error
        if not error > 0:
            return 0.0, 1.0
        if not logit:
            return max(value - Z * error, 0.0), min(value + Z * error, 1.0)
        if not 0 < value < 1:
            return 0.0, 1.0
        middle, half = math.log(value / (1 - value)), Z * error / (value * (1 - value))
        return 1 / (1 + math.exp(half - middle)), 1 / (1 + math.exp(-half - middle))

    return interval


def limits(design: Design, interval: Callable[[int, int], Interval]) -> tuple[Floats, Floats]:
    """Both limits for each pair of hits."""
    shape = design.retrieved_checked + 1, design.discarded_checked + 1
    found = np.array([interval(j, k) for j in range(shape[0]) for k in range(shape[1])])
    return found[:, 0].reshape(shape), found[:, 1].reshape(shape)


def by_definition(design: Design, statistic: Floats, spent: float) -> Floats:
    """The lower limit of each pair of hits when samples are ordered by the statistic, for the share `recall`."""
    truth = np.where(np.isnan(share := recall(design)), np.inf, share)
    first, second = dense(design.retrieved, design.retrieved_checked), dense(design.discarded, design.discarded_checked)
    ranges = [
        [(0, size) if spent == 0 else count_limits(size, checked, k, spent / 4) for k in range(checked + 1)]
        for size, checked in (design[:2], design[2:])
    ]
    extreme = np.zeros_like(truth)
    found = np.empty_like(statistic)
    order = np.argsort(-statistic, axis=None, kind="stable")
    values = statistic.ravel()[order]
    begin = 0
    while begin < len(order):
        end = int(np.searchsorted(-values, -values[begin], side="right"))
        pairs = [divmod(int(position), statistic.shape[1]) for position in order[begin:end]]
        for j, k in pairs:
            extreme += np.outer(first[:, j], second[:, k])
        for j, k in pairs:
            (a, b), (c, d) = ranges[0][j], ranges[1][k]
            part = slice(a, b + 1), slice(c, d + 1)
            # For each x the probability falls in y, and so does recall: the last y that is left counts.
            last = (extreme[part] > TAIL - spent).sum(axis=1) - 1
            left = np.flatnonzero(last >= 0)
            found[j, k] = min(truth[part][left, last[left]], default=np.nanmax(truth[part]))
        begin = end
    return found


def ordered(design: Design, posterior: tuple[Floats, Floats], spent: float) -> tuple[Floats, Floats]:
    """Buehler's limits, or those of Berger and Boos, for each pair of hits."""
    low = by_definition(design, posterior[0], spent)
    swapped = Design(*design[2:], *design[:2])
    high = 1 - by_definition(swapped, 1 - posterior[1].T, spent).T
    return low, high


def study(design: Design, xs: list[int], ys: list[int], *, definition: bool) -> None:
    """A table: coverage on average and at worst over populations, and the mean width."""
    first, second = dense(*design[:2])[xs], dense(*design[2:])[ys]
    truth = recall(design)[np.ix_(xs, ys)]
    posterior = limits(design, of_audit(design, "posterior"))
    methods = {
        "posterior, Jeffreys": posterior,
        "posterior, uniform": limits(design, of_audit(design, "posterior", "uniform")),
        "normal": limits(design, delta(design, logit=False)),
        "logit": limits(design, delta(design, logit=True)),
        "Bonferroni": limits(design, of_audit(design, "bonferroni")),
    }
    if definition:
        methods["Buehler"] = ordered(design, posterior, 0.0)
        methods["Berger-Boos"] = ordered(design, posterior, REGION_ERROR_PART * TAIL)
    print(f"\n{design}: {np.isfinite(truth).sum()} populations\n")
    print("| method | mean coverage | least coverage | mean width |\n|---|---:|---:|---:|")
    for name, (low, high) in methods.items():
        covered, width = np.full(truth.shape, np.nan), first @ (high - low) @ second.T
        for position in zip(*np.nonzero(np.isfinite(truth)), strict=True):
            inside = (low <= truth[position] + 1e-12) & (truth[position] - 1e-12 <= high)
            covered[position] = first[position[0]] @ inside @ second[position[1]]
        known = np.isfinite(truth)
        print(
            f"| {name} | {covered[known].mean():.3f} | {covered[known].min():.3f} | {width[known].mean():.3f} |",
            flush=True,
        )


def main() -> None:
    """Print the tables."""
    small = Design(60, 15, 150, 30)
    study(small, list(range(61)), list(range(151)), definition=True)
    if sys.argv[1:] != ["small"]:
        study(
            Design(300, 60, 1500, 120),
            [round(300 * rate) for rate in (0.1, 0.3, 0.5, 0.7, 0.9, 0.98)],
            [round(1500 * rate) for rate in (0.002, 0.005, 0.01, 0.02, 0.05, 0.1)],
            definition=True,
        )


if __name__ == "__main__":
    main()
