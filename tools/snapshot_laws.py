"""Save what laws under chance and sign-flip tests answer, and compare another version of the code with it.

    python tools/snapshot_laws.py save FILE
    python tools/snapshot_laws.py compare FILE

An answer is the same if its bits are, or if it lies within the stated errors of both versions. Exact ones may differ by
rounding, 1e-12 of themselves; quantiles by 1e-9 of the standard deviation. Exits with 1 if an answer differs by more.
"""

import argparse
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from certus import CertusError, chance
from certus.chance.probability import Probability
from certus.inference.interval import Request
from certus.inference.tests.means import PairedDifferences, own_interval
from certus.inference.tests.signflip import sign_flip

SHARES = (0.025, 0.9)
PLACES = (-2.5, -0.8, 0.0, 1.3, 4.0)


def laws() -> Iterator[tuple[str, Callable[[], Any]]]:
    """A few hundred laws of every family, by what they are."""

    def law(name: str, *given: Any, **options: Any) -> tuple[str, Callable[[], Any]]:
        text = f"{name}{given}{options or ''}"
        return text, lambda: getattr(chance, name)(*given, **options)

    sizes = [(1, 0), (1, 1), (3, 1), (8, 3), (12, 12), (20, 6), (36, 16), (50, 5), (100, 40), (1000, 10), (1000, 100)]
    for n, m in sizes:
        yield law("average_precision", n, m)
        yield law("average_precision", n, m, 10)
        yield law("average_precision", n, m, 10, "min")
        yield law("reciprocal_rank", n, m)
        yield law("reciprocal_rank", n, m, 5)
        yield law("hits", n, m, 7)
        yield law("precision", n, m, 20)
        yield law("recall", n, m, 4)
        yield law("r_precision", n, m)
        yield law("success", n, m, 3)
        yield law("ndcg", {1: m, 0: n - m})
        if n <= 100:
            yield law("rbp", n, m, 0.8)
            yield law("average_precision", n, m, 10, "hits")
            yield law("rbp", n, m, 0.5, 6)
        if m:
            yield law("hit_rank", n, m, (m + 1) // 2)
            yield law("list_score", min(n, 100), min(m, 12))
        if 0 < m < n:
            yield law("auc", m, n - m)
            yield law("bpref", relevant=min(m, 70), nonrelevant=n - m)
    yield law("average_precision", 2000, 500)
    yield law("average_precision", 10**9, 10**8)
    yield law("average_precision", 10**9, 1)
    yield law("average_precision", 10**5, 10**4, 20)
    yield law("average_precision", 30, 9, total=12)
    for tied in ("average", "together"):
        yield law("average_precision", 12, 5, ties=[1, 4, 2, 5], tied=tied)
        yield law("average_precision", 300, 60, ties=[10] * 30, tied=tied)
    yield law("average_precision", 400, 200, 100)
    yield law("hits", 10**9, 10**8, 10**6)
    yield law("hits", 5000, 50, 1000)
    yield law("recall", 3000, 50, 100)
    yield law("hit_rank", 10**7, 1000, 3)
    yield law("reciprocal_rank", 10**7, 20)
    yield law("reciprocal_rank", 10**4, 3, 4000)
    for pos, neg in [(2, 2), (30, 40), (60, 300), (200, 200), (1000, 1000), (3, 10**4), (10**4, 10**4)]:
        yield law("auc", pos, neg)
    generator = np.random.Generator(np.random.PCG64(5))
    for pos, neg, groups in [(3, 4, 3), (20, 30, 6), (100, 100, 20), (100, 300, 5), (60, 60, 80), (40, 160, 30)]:
        cuts = np.sort(generator.choice(pos + neg - 1, groups - 1, replace=False)) + 1
        yield law("auc", pos, neg, np.diff(np.concatenate([[0], cuts, [pos + neg]])).tolist())
    yield law("bpref", relevant=20, nonrelevant=500)
    yield law("bpref", relevant=60, nonrelevant=30)
    yield law("list_score", 100, 5)
    yield law("list_score", 90, 40, 3)
    yield law("rbp", 5000, 50, 0.95)
    grades: list[dict[int, int]] = [
        {0: 3, 1: 2, 2: 1},
        {0: 20, 1: 6, 3: 3},
        {0: 90, 1: 8, 2: 2},
        {0: 900, 1: 60, 2: 30, 3: 10},
        {0: 995, 3: 5},
        {1: 50, 2: 50},
        {0: 40, 1: 30, 2: 20, 3: 10},
        {0: 190, 1: 10},
        {2: 5},
    ]
    for each in grades:
        for cutoff in (None, 5, 20):
            yield law("dcg", each, cutoff)
        yield law("ndcg", each, 10, "exp")
    yield law("ndcg", {0: 10**6 - 60, 1: 40, 2: 20}, 10)
    yield law("ndcg", {0: 10**5, 1: 300, 2: 100})
    parts = [(10, 3), (25, 4), (10, 3), (40, 1)]
    yield "mean_of AP", lambda: chance.mean_of([chance.average_precision(n, m) for n, m in parts])
    yield "mean_of AP 60", lambda: chance.mean_of([chance.average_precision(50 + i, 5 + i % 9) for i in range(60)])
    yield (
        "mean_of weighted",
        lambda: chance.mean_of(
            [chance.average_precision(30, 4), chance.reciprocal_rank(40, 2), chance.hits(50, 5, 10)], [1, 2, 0.5]
        ),
    )
    yield "mean_of auc", lambda: chance.mean_of([chance.auc(10, 20), chance.auc(4, 5), chance.rbp(100, 10, 0.8)])
    yield "mean_of rr 200", lambda: chance.mean_of([chance.reciprocal_rank(1000, 1 + i % 7) for i in range(200)])
    yield "mean_of means", lambda: chance.mean_of([chance.mean_of([chance.hits(5, 2, 2)] * 3), chance.hits(9, 3, 3)])


def engines() -> Iterator[tuple[str, Callable[[str], Any]]]:
    """Laws whose engine can be asked for, by what they are."""
    for n, m in [(8, 3), (60, 30), (300, 20)]:
        yield f"average_precision{n, m}", partial(_with_engine, chance.average_precision, n, m)
        yield f"rbp{n, m}", partial(_with_engine, chance.rbp, n, m, 0.9)


def _with_engine(make: Callable[..., Any], *given: Any) -> Any:
    """The law of these arguments; the last is the engine."""
    *arguments, engine = given
    try:
        return make(*arguments, engine=engine)
    except TypeError:
        return make(*arguments, method=engine)


def answers(law: Any) -> dict[str, Any]:
    """Everything that is asked of a law: numbers, or [number, stated error, method]."""
    found: dict[str, Any] = {}

    def ask(name: str, question: Callable[[], Any]) -> None:
        try:
            answer = question()
        except CertusError as error:
            found[name] = f"{type(error).__name__}"
            return
        if isinstance(answer, Probability):
            found[name] = [float(answer), answer.error, answer.method]
        elif isinstance(answer, np.ndarray):
            found[name] = answer.tolist()
        else:
            found[name] = list(answer) if isinstance(answer, tuple) else answer

    for name in ("mean", "var", "std", "skewness", "kurtosis", "support"):
        ask(name, getattr(law, name))
    ask("method", lambda: law.method)
    ask("exact", lambda: law.exact)
    low, high = law.support()
    mean, std = law.mean(), law.std()
    xs = {f"{position:+g} sd": min(max(mean + position * std, low), high) for position in PLACES}
    xs |= {"least": low, "greatest": high, "beyond": high + 1}
    for q in SHARES:
        ask(f"ppf {q:g}", partial(law.ppf, q))
        if isinstance(found[f"ppf {q:g}"], float):
            xs[f"quantile {q:g}"] = found[f"ppf {q:g}"]
    ask("isf 1e-06", lambda: law.isf(1e-6))
    for position, x in xs.items():
        for question in ("tail", "sf", "cdf", "pmf", "logtail"):
            ask(f"{question} at {position}", partial(getattr(law, question), x))
    ask("tail to 2 digits", lambda: law.tail(round(mean + std, 2), digits=2))
    ask("rvs", lambda: law.rvs(3, seed=7))
    found["xs"] = xs
    return found


def again(law: Any, before: dict[str, Any]) -> dict[str, Any]:
    """The same questions at the same places as before."""
    found = answers(law)
    for position, x in before["xs"].items():
        for question in ("tail", "sf", "cdf", "pmf", "logtail"):
            try:
                answer = getattr(law, question)(x)
            except CertusError as error:
                found[f"{question} at {position}"] = f"{type(error).__name__}"
                continue
            probability = isinstance(answer, Probability)
            found[f"{question} at {position}"] = [float(answer), answer.error, answer.method] if probability else answer
    return found


def flips() -> Iterator[tuple[str, np.ndarray]]:
    """Differences of every kind."""
    generator = np.random.Generator(np.random.PCG64(11))
    for n in (1, 2, 5, 12, 20, 30, 34, 37, 40, 60, 100, 250, 1000, 3000):
        for shift in (0.0, 0.1, 0.3, -0.2):
            yield f"normal {n} {shift}", generator.normal(shift, 1, n)
        yield f"tenths {n}", generator.integers(-4, 6, n) / 10
        yield f"few sizes {n}", generator.choice([-0.31, 0.17, 0.5, 0.123], n)
        yield f"spread {n}", generator.lognormal(0, 3, n) * generator.choice([-1, 1, 1], n)
        yield f"sixteenths {n}", np.round(generator.normal(0.2, 1, n) * 16) / 16
    yield "zeros", np.zeros(5)
    yield "one large", np.append(generator.normal(0, 0.01, 80), 9.0)


def flipped(differences: np.ndarray) -> dict[str, Any]:
    """The sign-flip test both ways, quick and thorough."""
    found: dict[str, Any] = {}
    for name, signed in (("greater", differences), ("less", -differences)):
        for quick in (False, True):
            result = sign_flip(signed, quick=quick)
            found[f"{name}{' quick' if quick else ''}"] = [result.p, result.error, result.method]
    if len(differences) <= 100:
        sample = PairedDifferences.from_sums(differences, np.ones(len(differences)), "query")
        limits = own_interval(sample, "permutation").limits(Request(0.95))
        found["limits"] = [limits.low, limits.high]
    return found


def everything(before: dict[str, Any] | None) -> dict[str, Any]:
    """All answers; at the places of `before`, if there is one."""
    found: dict[str, Any] = {}
    for name, make in laws():
        if before is not None and name not in before:
            continue
        start = time.process_time()
        found[name] = answers(make()) if before is None else again(make(), before[name])
        if (spent := time.process_time() - start) > 3:
            print(f"{name}: {spent:.1f} s", file=sys.stderr)
    for name, of in engines():
        for engine in ("enumeration", "fourier"):
            label = f"{name} by {engine}"
            if before is not None and label not in before:
                continue
            try:
                law = of(engine)
                law.tail(law.mean())
            except CertusError as error:
                found[label] = {"refused": str(type(error).__name__)}
                continue
            found[label] = answers(law) if before is None else again(law, before[label])
    for name, differences in flips():
        if before is not None and f"flip {name}" not in before:
            continue
        found[f"flip {name}"] = flipped(differences)
    return found


def same(question: str, old: Any, new: Any, std: float) -> str:
    """``"bits"``, ``"error"`` for within the stated errors, ``"rounding"``, or ``"different"``."""
    if old == new or (isinstance(old, float) and isinstance(new, float) and math.isnan(old) and math.isnan(new)):
        return "bits"
    if isinstance(old, list) and len(old) == 3 and isinstance(old[2], str) and isinstance(new, list):
        apart = abs(old[0] - new[0])
        if old[0] == new[0] and old[2] == new[2]:
            return "bits" if old[1] == new[1] else "error"
        if apart <= 1e-12 * abs(old[0]) + 1e-300:
            return "rounding"
        return "error" if apart <= old[1] + new[1] else "different"
    if question.startswith("logtail") and isinstance(old, float) and isinstance(new, float):
        return "tail"  # whose error is in the answer of `tail`
    if isinstance(old, bool) or isinstance(new, bool):
        return "different"
    olds, news = np.ravel(np.asarray(old)), np.ravel(np.asarray(new))
    if olds.dtype.kind not in "fib" or news.dtype.kind not in "fib" or olds.shape != news.shape:
        return "different"
    within = 1e-9 * std if question.startswith(("ppf", "isf")) else 0.0
    slack = np.maximum(1e-12 * np.abs(olds), within)
    return "rounding" if np.all((np.abs(olds - news) <= slack) | (olds == news)) else "different"


def main() -> int:
    """Save or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["save", "compare"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--only", default="", help="compare laws and tests whose name contains this")
    options = parser.parse_args()
    if options.what == "save":
        options.file.write_text(json.dumps(everything(None)))
        return 0
    before = {name: old for name, old in json.loads(options.file.read_text()).items() if options.only in name}
    after = json.loads(json.dumps(everything(before)))
    options.file.with_suffix(".after.json").write_text(json.dumps(after))
    counts: Counter[str] = Counter()
    for name, old in before.items():
        for question, answer in old.items():
            if question == "xs":
                continue
            verdict = same(question, answer, after[name].get(question), old.get("std", 1.0))
            counts[verdict] += 1
            if verdict == "different":
                print(f"{name}: {question}: {answer} -> {after[name].get(question)}")
    print(f"{len(before)} laws and tests:", ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common()))
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
