"""Laws of chance: digits of their tails, and time they take.

    python bench/chance.py [--repeat 3] [--only TEXT]

Each answer is checked: against another inversion, against enumeration, or against the rankings one by one. Prints
Markdown and exits with 1 if a job takes longer, or has fewer digits, than it has to.
"""

import argparse
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np

from certus.chance import Distribution, average_precision, bpref, mean_of, ndcg
from certus.transform.inversion import find_tilt


@dataclass(frozen=True)
class Job:
    """A probability: how it is asked, what it has to be, and how long and how far off it may be."""

    name: str
    law: Callable[[], Distribution]
    x: float
    check: Callable[[float], float]
    """Another way to the same probability."""
    seconds: float
    within: float
    """Relative."""


def jobs() -> list[Job]:
    """The jobs that issue 4 sets."""
    all_jobs = [
        _job(n, m, x, seconds, within, _plainly(n, m, points))
        for n, m, x, seconds, within, points in [
            (1000, 100, 0.132105384, 0.2, 1e-8, 1000),
            (1000, 100, 0.2, 0.2, 1e-8, 600),
            (1000, 100, 0.36, 0.2, 1e-8, 600),
            (2000, 500, 0.27, 0.2, 1e-8, 600),
            (2000, 500, 0.35, 0.2, 1e-8, 600),
            (2000, 500, 0.375, 0.2, 1e-8, 600),
            (1000, 10, 0.05, 1.0, 1e-4, 16_000),
            (1000, 10, 0.3, 1.0, 1e-4, 16_000),
        ]
    ]
    for n, m, x in [(50, 5, 0.345), (36, 16, 0.67)]:
        inverted = average_precision(n, m, engine="fourier")
        all_jobs.append(_job(n, m, x, 0.5, 1e-4, inverted.tail))
    generator = np.random.Generator(np.random.PCG64(0))
    sizes = [(int(generator.integers(100, 1001)), int(generator.integers(1, 101))) for _ in range(250)]
    topics = [average_precision(n, m) for n, m in sizes]
    x = 0.1518
    rough = mean_of(topics, engine="saddlepoint")
    all_jobs.append(Job("MAP of 250 topics", lambda: mean_of(topics), x, rough.tail, 10.0, 3e-2))
    return all_jobs


def _job(n: int, m: int, x: float, seconds: float, within: float, check: Callable[[float], float]) -> Job:
    return Job(f"AP of {m} in {n}", lambda: average_precision(n, m), x, check, seconds, within)


def _plainly(n: int, m: int, points: int) -> Callable[[float], float]:
    """The plain inversion that the tests use: another tilt, another period, nothing left out."""

    def check(x: float) -> float:
        law = average_precision(n, m)
        tilt = 0.93 * find_tilt(law._sum, max(x, law.mean() + law.std()), 1e-9, rough=False)[0] / m  # type: ignore[attr-defined]
        return float(import_module("oracles").plain_tail(n, m, x, tilt, points))

    return check


def _quantiles() -> None:
    """A tail and the three quantiles that ``certus chance`` states, each compared with the tails there."""
    generator = np.random.Generator(np.random.PCG64(0))
    sizes = [(int(generator.integers(100, 1001)), int(generator.integers(1, 101))) for _ in range(50)]
    laws: dict[str, tuple[Callable[[], Distribution], float]] = {
        "AP of 10 in 1000": (lambda: average_precision(1000, 10), 0.05),
        "AP of 3 in 100000": (lambda: average_precision(100_000, 3), 0.0005),
        "bpref of 10000 and 10000": (lambda: bpref(relevant=10_000, nonrelevant=10_000), 0.51),
        "bpref of 1000 and 10000": (lambda: bpref(relevant=1000, nonrelevant=10_000), 0.06),
        "bpref of 10000 and 20000": (lambda: bpref(relevant=10_000, nonrelevant=20_000), 0.26),
        "nDCG of 2 in 1000000": (lambda: ndcg({0: 10**6 - 2, 1: 1, 2: 1}), 0.07),
        "nDCG of 3 in 100000": (lambda: ndcg({0: 10**5 - 3, 1: 1, 2: 1, 3: 1}), 0.09),
        "MAP of 50 topics": (lambda: mean_of([average_precision(n, m) for n, m in sizes]), 0.15),
    }
    average_precision(1000, 20).tail(0.1)  # what is imported when it is first needed
    for name, (make, x) in laws.items():
        times = [_work(make, Distribution.tail, x)[0]]
        for q in (0.025, 0.5, 0.975):
            taken, position = _work(make, Distribution.ppf, q)
            times.append(taken)
            below, beyond = make().cdf(position), make().tail(position)
            if not 1 - beyond - beyond.error - 1e-9 <= q <= below + below.error + 1e-9:
                raise SystemExit(f"P(X <= {position}) is {float(below)} and P(X >= {position}) {float(beyond)}, at {q}")
        each = ", ".join(f"{taken:.3f}" for taken in times)
        print(f"{name}, tail and quantiles 2.5%, 50%, 97.5%: {each} s of processor time", flush=True)


def _work(
    make: Callable[[], Distribution], ask: Callable[[Distribution, float], float], value: float
) -> tuple[float, float]:
    """Least processor time that a new law takes to answer, of three turns, and the answer."""
    times, found = [], math.nan
    for _ in range(3):
        start = time.process_time()
        found = ask(make(), value)
        times.append(time.process_time() - start)
    return min(times), found


def main() -> int:
    """Run the jobs, print their table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3, help="timed turns of each job")
    parser.add_argument("--only", default="", help="jobs whose name contains this")
    options = parser.parse_args()
    repeat: int = options.repeat
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "chance"))
    print("| job | x | P(X >= x) | method | own error, relative | other way, relative | wall s | CPU s | wanted s |")
    print("|---|--:|--:|---|--:|--:|--:|--:|--:|")
    missed = 0
    for job in jobs():
        if options.only not in job.name:
            continue
        walls, works = [], []
        p = job.law().tail(job.x)
        for _ in range(repeat):
            law = job.law()
            wall, work = time.perf_counter(), time.process_time()
            p = law.tail(job.x)
            walls.append(time.perf_counter() - wall)
            works.append(time.process_time() - work)
        apart = abs(job.check(job.x) / p - 1)
        reached = apart <= job.within and p.error <= job.within * p and min(walls) <= job.seconds
        missed += not reached
        print(
            f"| {job.name} | {job.x:g} | {float(p):.12g} | {p.method} | {p.error / p:.1e} | {apart:.1e} "
            f"| {min(walls):.3f} | {min(works):.3f} | {job.seconds:g}{'' if reached else ' (missed)'} |",
            flush=True,
        )
    if options.only in "quantiles":
        _quantiles()
    wall = time.perf_counter()
    law = average_precision(10**9, 10**8)
    mean, std = law.mean(), law.std()
    print(f"\nMean and standard deviation at n = 1e9: {mean:.15g}, {std:.15g}, {time.perf_counter() - wall:.4f} s")
    return 1 if missed or not math.isfinite(mean + std) else 0


if __name__ == "__main__":
    sys.exit(main())
