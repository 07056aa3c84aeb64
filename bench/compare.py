"""All pairs of ten runs by five metrics: certus and ranx, in one run.

    python bench/compare.py [--runs 10] [--queries 250] [--repeat 3]

The means of all metrics and the p-values of the paired t test are compared with ranx's first. Then certus does the job
with exact permutation tests and with randomised Tukey HSD at 100,000 permutations, and ranx with its own 1,000 random
permutations (its default); reading is not timed. Prints Markdown; exits with 1 if certus takes 5 s of processor time.

    python bench/compare.py --exact

times exact permutation tests of AP between all pairs of 20 runs instead, of 50 and of 250 queries. Four pairs' p-values
beyond 0.001 are compared with 10^6 random sign flips first, within 5 of their standard errors.

    python bench/compare.py --units

times `inference.paired`, p and interval, for up to 10^6 differences of eight kinds, equivalence by betting, all pairs
of 50 systems on 50 queries, and joint sign flips of all pairs with the memory they take. P-values of sign flips are
compared with 4,000 random flips first, within 5 of their standard errors; means, and p of t tests, with scipy's.
"""

import argparse
import itertools
import math
import sys
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import certus

METRICS = {"AP": "map", "nDCG@10": "ndcg@10", "RR": "mrr", "P@10": "precision@10", "R@100": "recall@100"}
PERMUTATIONS = 100_000
WANTED = 5.0

Judged = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]


def workload(runs: int, queries: int, depth: int = 100) -> tuple[Judged, dict[str, Scores]]:
    """Judgments, and runs of which each finds relevant documents a little better than the one before."""
    rng = np.random.default_rng(0)
    qrels: Judged = {}
    found: dict[str, Scores] = {f"run{i}": {} for i in range(runs)}
    for query in range(queries):
        grades = rng.choice([0, 1, 2], size=3 * depth, p=[0.9, 0.07, 0.03])
        grades[0] = 1
        names = [f"d{query}_{i}" for i in range(3 * depth)]
        qrels[f"q{query}"] = dict(zip(names, grades.tolist(), strict=True))
        common = rng.normal(0, 1, 3 * depth) + rng.uniform(0.2, 1.5) * grades
        for i, run in enumerate(found.values()):
            scores = common + 0.03 * i * grades + rng.normal(0, 0.7, 3 * depth)
            top = np.argsort(-scores)[:depth]
            run[f"q{query}"] = {names[j]: float(scores[j]) for j in top}
    return qrels, found


def check(ours: Any, theirs: Any) -> str:
    """The greatest differences between the means, and between the p-values of the t test."""
    values = {(row.metric, row.system): row.value for row in ours.rows} | {
        (row.metric, row.baseline): row.baseline_value for row in ours.rows
    }
    gap = max(
        abs(values[ours_name, system] - theirs.results[system][name])
        for (ours_name, name), system in itertools.product(METRICS.items(), ours.systems)
    )
    p_gap = max(
        abs(row.p - theirs.comparisons[frozenset((row.system, row.baseline))][METRICS[row.metric]]["p_value"])
        for row in ours.rows
    )
    if gap > 1e-9 or p_gap > 1e-6:
        raise SystemExit(f"answers differ: means by {gap:.2g}, p by {p_gap:.2g}")
    return f"same: means to {gap:.1g}, p of t to {p_gap:.1g}"


FLIPS = 1_000_000
CHECKED = 4
SEEN = 1e-3
"""Of p-values beyond, random flips tell two digits or more."""


def exact(queries: int, repeat: int) -> str:
    """A row: all pairs of 20 runs by exact tests of AP, as a whole call of `compare` from dictionaries."""
    qrels, runs = workload(20, queries)
    compared: Any = certus.compare(qrels, runs, ["AP"], test="permutation")
    values: dict[str, list[float]] = {}
    for row in certus.evaluate(qrels, runs, ["AP"], per_query=True).to_dicts():
        if row.get("query") is not None:
            values.setdefault(row["run"], []).append(row["value"])
    rng = np.random.default_rng(1)
    apart = 0.0
    seen = [row for row in compared.rows if row.p > SEEN]
    for row in seen[:: len(seen) // CHECKED][:CHECKED]:
        off = np.subtract(values[row.system], values[row.baseline])
        # The sum over heads of a fair coin each, less the sum over tails.
        flips = np.concatenate([rng.choice([-1.0, 1.0], (FLIPS // 100, queries)) @ off for _ in range(100)])
        share = float(np.mean(np.abs(flips) >= abs(off.sum()) * (1 - 1e-12)))
        apart = max(apart, abs(share - row.p) / max(math.sqrt(row.p * (1 - row.p) / FLIPS), 1 / FLIPS))
    if apart > 5:
        raise SystemExit(f"p-values are {apart:.1f} standard errors from those of random flips")
    spent = seconds(lambda: certus.compare(qrels, runs, ["AP"]), repeat)
    return f"| 20 runs, {queries} queries, {len(compared.rows)} pairs | {spent:.2f} | {apart:.1f} |"


KINDS: dict[str, Callable[[np.random.Generator, int], Any]] = {
    "normal": lambda rng, n: rng.standard_normal(n),
    "normal, three decimals": lambda rng, n: rng.standard_normal(n).round(3),
    "lognormal, centred": lambda rng, n: rng.lognormal(size=n) - math.exp(0.5),
    "Student t, 1.5 degrees of freedom": lambda rng, n: rng.standard_t(1.5, n),
    "-1, 0 or 1, weighted": lambda rng, n: rng.integers(-1, 2, n) * np.sqrt(rng.integers(1, 9, n)),
    "three sizes": lambda rng, n: rng.choice([-1.0, 1.0], n) * rng.choice([0.1, 1 / 3, math.sqrt(2)], n),
    "multiples of 1/300,000": lambda rng, n: rng.integers(-300_000, 300_001, n) / 300_000,
    "sixty powers of two": lambda rng, n: rng.choice([-1.0, 1.0], n) * 2.0 ** rng.integers(0, 60, n),
}


def flipped_share(off: Any, p: float) -> float:
    """Distance between p and the share of random sign flips as far out, in standard errors of the share."""
    rng, flips = np.random.default_rng(2), 40_000_000 // len(off)
    flips = min(flips, 4_000)
    sums = [float(rng.choice([-1.0, 1.0], len(off)) @ off) for _ in range(flips)]
    share = float(np.mean(np.abs(sums) >= abs(off.sum()) * (1 - 1e-12)))
    return abs(share - p) / max(math.sqrt(p * (1 - p) / flips), 1 / flips)


def many_units(repeat: int) -> None:
    """A row for each kind of differences and each number of them."""
    from certus.inference import paired

    print("| differences | n | CPU s | p | of sign flips | its distance from random flips, standard errors |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, draw in KINDS.items():
        for n in (1_000, 10_000, 100_000, 1_000_000):
            off, zero = draw(np.random.default_rng([n, *name.encode()]), n), np.zeros(n)
            p = paired(off, zero, "permutation").p
            apart = flipped_share(off, p) if n <= 100_000 else math.nan
            if apart > 5:
                raise SystemExit(f"{name}, {n}: p is {apart:.1f} standard errors from that of random flips")
            spent = seconds(partial(with_interval, off, zero), repeat if n < 1_000_000 else 1)
            print(f"| {name} | {n:,} | {spent:.4f} | {paired(off, zero).p:.4f} | {p:.4f} | {apart:.1f} |", flush=True)
    for name, table in PAIRED.items():
        values = table(np.random.default_rng([50, *name.encode()]), (50, 50))
        spent = seconds(partial(all_pairs, values), 1)
        print(f"| all 1,225 pairs of 50 systems, {name} | 50 | {spent:.2f} | | | |", flush=True)
    weights = np.random.default_rng(1).random(300_000)
    margins: list[dict[str, Any]] = [{"margin": 0.01}, {"margin": 0.01, "weights": weights}]
    for how in margins:
        one = np.random.default_rng(0).random((2, 300_000)) * [[0.9], [1]]
        spent = seconds(partial(all_pairs, one.T, **how), 1)
        print(f"| {' and '.join(how)}, by betting | 300,000 | {spent:.2f} | | | |", flush=True)
    asked_of: list[tuple[int, int, dict[str, Any]]] = [
        (100, 500, {"test": "t", "correction": "max-t"}),
        (50, 50, {"simultaneous": True}),
    ]
    for systems, units, how in asked_of:
        values = PAIRED["normal"](np.random.default_rng(systems), (units, systems))
        spent, peak = seconds(partial(all_pairs, values, **how), 1), allocated(partial(all_pairs, values, **how))
        asked = ", ".join(f"{name} {value}" for name, value in how.items())
        print(
            f"| all pairs of {systems} systems, {asked}; {peak / 1e6:.0f} MB | {units} | {spent:.2f} | | | |",
            flush=True,
        )


PAIRED: dict[str, Callable[[np.random.Generator, tuple[int, int]], Any]] = {
    "normal": lambda rng, size: rng.normal(size=size),
    "lognormal": lambda rng, size: rng.lognormal(size=size),
    "AP": lambda rng, size: np.clip(rng.beta(1, 1.5, (size[0], 1)) + rng.normal(0, 0.1, size), 0, 1),
    "AP of two decimals": lambda rng, size: PAIRED["AP"](rng, size).round(2),
    "P@10": lambda rng, size: PAIRED["AP"](rng, size).round(1),
    "reciprocal ranks": lambda rng, size: 1 / rng.integers(1, 20, size),
    "nDCG of one hit": lambda rng, size: 1 / np.log2(1 + rng.integers(1, 20, size)),
    "half of them 0": lambda rng, size: np.where(rng.random(size) < 0.5, 0, rng.random(size)),
    "sixty powers of two": lambda rng, size: rng.choice([-1.0, 1.0], size) * 2.0 ** rng.integers(0, 60, size),
}


def all_pairs(values: Any, **how: Any) -> None:
    """A comparison of all columns, whose differences and p-values of t tests are those of numpy and scipy."""
    from scipy.stats import ttest_rel

    from certus.comparison import compare_values

    found = compare_values(values, **how)
    for row in found.rows[:: max(1, len(found.rows) // 10)]:
        one, other = (values[:, int(name.removeprefix("system ")) - 1] for name in (row.system, row.baseline))
        wrong = "weights" not in how and not math.isclose(row.difference, (one - other).mean(), rel_tol=1e-9)
        if wrong or (how.get("test") == "t" and not math.isclose(row.p, ttest_rel(one, other).pvalue, rel_tol=1e-9)):
            raise SystemExit(f"{row.system} and {row.baseline} are compared otherwise than by scipy")


def allocated(work: Callable[[], Any]) -> int:
    """Most bytes that Python and numpy hold at once."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def with_interval(off: Any, zero: Any) -> Any:
    """The default test and its interval."""
    from certus.inference import paired

    return paired(off, zero).interval()


def seconds(work: Callable[[], Any], repeat: int) -> float:
    """The least processor time of some calls, on all threads."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def main() -> int:
    """Check, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--queries", type=int, default=250)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--exact", action="store_true", help="all pairs of 20 runs by exact tests of AP instead")
    parser.add_argument("--units", action="store_true", help="p and interval of many units instead")
    options = parser.parse_args()
    if options.units:
        many_units(options.repeat)
        return 0
    if options.exact:
        print("| exact permutation tests of AP | CPU s | greatest distance from random flips, standard errors |")
        print("|---|--:|--:|")
        for queries in (50, 250):
            print(exact(queries, options.repeat), flush=True)
        return 0

    # numba, which ranx loads, would take the folder bench/coverage for the package of that name.
    sys.path.remove(str(Path(__file__).resolve().parent))
    import ranx

    qrels, runs = workload(options.runs, options.queries)
    metrics = list(METRICS)
    judged = ranx.Qrels(qrels)
    lists = [ranx.Run(run, name=name) for name, run in runs.items()]

    def by_ranx(test: str) -> Any:
        return ranx.compare(judged, runs=lists, metrics=list(METRICS.values()), stat_test=test, max_p=0.05)

    def by_certus(**asked: Any) -> Any:
        compare: Any = certus.compare
        return compare(qrels, runs, metrics, **asked)

    answers = check(by_certus(test="t", correction="none"), by_ranx("student"))
    by_ranx("fisher")  # compiles
    ours = {
        "paired t": seconds(lambda: by_certus(test="t"), options.repeat),
        "exact permutation, Holm": seconds(by_certus, options.repeat),
        f"exact permutation and Tukey HSD, {PERMUTATIONS:,} permutations": seconds(
            lambda: by_certus(correction="tukey-hsd", replicates=PERMUTATIONS), options.repeat
        ),
    }
    theirs = {
        "paired t": seconds(lambda: by_ranx("student"), options.repeat),
        "1,000 random permutations": seconds(lambda: by_ranx("fisher"), options.repeat),
    }
    print(f"{options.runs} runs, {options.queries} queries, {len(metrics)} metrics, all pairs; answers {answers}\n")
    print("| tool | test | CPU s | times ranx's permutations |\n|---|---|--:|--:|")
    base = theirs["1,000 random permutations"]
    for tool, rows in ((f"certus {certus.__version__}", ours), (f"ranx {version('ranx')}", theirs)):
        for test, spent in rows.items():
            print(f"| {tool} | {test} | {spent:.2f} | {spent / base:.3g} |")
    return 0 if max(ours.values()) < WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
