"""The coverage hunter: default intervals on settings drawn at random, with most samples where coverage looks worst.

``python bench/coverage/hunt.py --settings 300 > docs/coverage-hunt.md`` writes the page. ``--save FILE`` keeps the
figures, ``--against FILE`` compares widths with those kept. ``--fail`` exits with 1 where the bounds below are missed.

A case is a metric in a setting. Every case gets a first round of samples; one that covers less than 0.965 there gets a
second round of five times as many, and one below 0.945 there a third of ten times as many. Only a case's last round
counts, so that a case is not listed for its bad luck in the round that singled it out.
"""

import argparse
import json
import math
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from inspect import signature
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus import CertusError
from certus.data.ranking import Columns, Ranking
from certus.inference import Estimate
from certus.metrics import Metric, declared
from certus.statistic import Mean, Ratio
from populations import KINDS, Population, draw

LEVEL = 0.95
ROUNDS = ((1, 0.965), (5, 0.945), (10, 0.0))
"""Multiple of the first round's samples that each round takes, and the coverage below which the next one follows."""
SECONDS = 4.0
"""Processor time that one case may take in a round; a metric that is slow gets fewer samples."""
LEAST, ENOUGH = 50, 0.94
"""Units from which on a setting must cover, and how much."""
WORST = 0.92
"""Least coverage of a case that does not say that it covers less."""

Rows = Mapping[str, NDArray[Any]]


class Job(NamedTuple):
    """A metric and how to get its estimate from the rows of a sample."""

    metric: str
    estimate: Callable[[Rows], Estimate]


class Case(NamedTuple):
    """Result for a metric in a setting."""

    setting: int
    kind: str
    metric: str
    words: str
    enough: bool
    """True if it has the 50 samples from which on a setting must cover."""
    samples: int
    covered: float
    above: float
    below: float
    told: float
    """Share of the intervals that carry a remark."""
    missing: float
    width: float
    """The median."""

    @property
    def says_so(self) -> bool:
        """True if for most samples the interval has a warning of low coverage, or is missing."""
        return self.told + self.missing >= 0.5


def jobs(population: Population, rng: np.random.Generator, at_most: int) -> list[Job]:
    """Some of the metrics that the population has the data for."""
    found = list(_JOBS[population.kind](population, rng))
    return [found[i] for i in sorted(rng.permutation(len(found))[:at_most])]


def _called(metric: Metric, columns: Sequence[str], rows: Rows) -> Estimate:
    conventions = {"sample_weight": "weights", "groups": "groups"}
    given = {name: rows[column] for name, column in conventions.items() if column in rows}
    estimate = metric(*(rows[column] for column in columns), **given)
    if not isinstance(estimate, Estimate):
        raise TypeError(f"{metric} gives several estimates; choose an average")
    return estimate


def _fits(metric: Metric, population: Population) -> bool:
    parameters = signature(metric).parameters
    weighted = population.columns.get("weights") is not None
    return ("sample_weight" in parameters or not weighted) and ("groups" in parameters or population.groups is None)


def _set(metric: Metric, rng: np.random.Generator, averages: Sequence[str]) -> Metric:
    """The metric with the parameters it needs, and an average that suits the data."""
    chosen: dict[str, Any] = {}
    for name, parameter in metric.parameters.items():
        if name == "average" and (suited := [each for each in averages if each in parameter.choices]):
            chosen[name] = str(rng.choice(suited))
        elif parameter.required:
            chosen[name] = 2.0 if name == "beta" else round(float(rng.uniform(0.3, 0.95)), 2)
    if "undefined" in metric.parameters and rng.random() < 0.5:
        chosen["undefined"] = 0.0
    return metric.using(**chosen)


def _of_task(
    population: Population,
    rng: np.random.Generator,
    *,
    task: str,
    takes: Mapping[str, Sequence[str]],
    averages: Sequence[str] = (),
    leave: Iterable[str] = (),
) -> Iterable[Job]:
    for metric in declared(task):
        columns = takes.get(metric.input_types[0].__name__)
        if columns is None or metric.name in leave:
            continue
        ready = _set(metric, rng, averages)
        if _fits(ready, population):
            yield Job(str(ready), partial(_called, ready, columns))


def _of_values(population: Population, rng: np.random.Generator) -> Iterable[Job]:
    del population, rng
    yield Job("mean of values in [0, 1]", lambda rows: Estimate(Mean(rows["value"]), bounds=(0.0, 1.0)))


def _of_queries(population: Population, rng: np.random.Generator) -> Iterable[Job]:
    """Per-query values are computed once, of the whole population, and samples are drawn of them."""
    ranking = _ranking(population.columns["grades"], population.columns["relevant"])
    for metric in declared("ranking"):
        ready = _set(metric, rng, ())
        if "cutoff" in ready.parameters and rng.random() < 0.6:
            ready = ready.using(cutoff=int(rng.choice([1, 5, 10])))
        statistic = ready.compute(ranking)
        if isinstance(statistic, Mean) and not statistic.total:
            yield Job(str(ready), partial(_resampled_mean, statistic, ready.bounds))
        elif isinstance(statistic, Ratio):
            yield Job(str(ready), partial(_resampled_ratio, statistic, ready.bounds))


def _resampled_mean(statistic: Mean, bounds: tuple[float, float], rows: Rows) -> Estimate:
    return Estimate(statistic.with_values(statistic.values[rows["query"]]), bounds=bounds)


def _resampled_ratio(statistic: Ratio, bounds: tuple[float, float], rows: Rows) -> Estimate:
    drawn = rows["query"]
    return Estimate(Ratio(statistic.numerators[drawn], statistic.denominators[drawn], statistic.unit), bounds=bounds)


def _ranking(grades: NDArray[np.int64], relevant: NDArray[np.int64]) -> Ranking:
    queries, depth = grades.shape
    query, position = np.nonzero(grades)
    missed = np.maximum(relevant - (grades > 0).sum(axis=1), 0)
    judged = [np.append(np.sort(row[row > 0])[::-1], np.ones(left)) for row, left in zip(grades, missed, strict=True)]
    return Ranking(
        tuple(f"{i:05}" for i in range(queries)),
        Columns(
            np.searchsorted(query, np.arange(queries + 1)).astype(np.int64),
            (position + 1).astype(np.uint32),
            grades[query, position].astype(np.int32),
            (position + 1).astype(np.uint32),
            np.ones(len(query), dtype=np.uint32),
            np.full(queries, depth, dtype=np.uint32),
            np.append(0, np.cumsum([len(each) for each in judged])).astype(np.int64),
            np.concatenate(judged).astype(np.int32),
        ),
    )


_ANY = ["macro", "micro", "weighted"]
_NO_TRUTH = ("CalinskiHarabasz", "MaxError")
"""They grow with the number of samples, so that a population has no value that a sample estimates."""
_JOBS: dict[str, Callable[[Population, np.random.Generator], Iterable[Job]]] = {
    "scores": partial(_of_task, task="classification", takes={"Scores": ("truth", "score")}),
    "probabilities": partial(_of_task, task="classification", takes={"Probabilities": ("truth", "score")}),
    "two labels": partial(
        _of_task, task="classification", takes={"Labels": ("truth", "guess")}, averages=["binary", "macro"]
    ),
    "labels": partial(
        _of_task,
        task="classification",
        takes={"Labels": ("truth", "guess")},
        averages=_ANY,
        leave=("FM", "LR+", "LR-", "Prevalence"),
    ),
    "numbers": partial(
        _of_task,
        task="regression",
        takes={"Targets": ("truth", "guess")},
        leave=(*_NO_TRUTH, "GammaDeviance", "PoissonDeviance", "MSLE", "RMSLE"),
    ),
    "positive numbers": partial(_of_task, task="regression", takes={"Targets": ("truth", "guess")}, leave=_NO_TRUTH),
    "clusters": partial(_of_task, task="clustering", takes={"Partition": ("truth", "guess")}),
    "seconds": partial(_of_task, task="efficiency", takes={"Timings": ("value",)}),
    "multilabel": partial(
        _of_task,
        task="multilabel",
        takes=dict.fromkeys(("MultilabelScores", "LabelGrades"), ("truth", "score"))
        | {"Multilabel": ("truth", "guess")},
        averages=["samples", "macro", "micro", "weighted"],
    ),
    "values": _of_values,
    "queries": _of_queries,
}


def hunted(setting: int, seed: int, samples: int, at_most: int) -> list[Case]:
    """All cases of one setting."""
    rng = np.random.default_rng([seed, setting])
    kind = list(KINDS)[setting % len(KINDS)]
    population = draw(kind, rng)
    if kind == "queries":
        population = population._replace(
            columns={**population.columns, "query": np.arange(len(population.columns["relevant"]))}
        )
    cases = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for job in jobs(population, rng, at_most):
            try:
                truth = job.estimate(_whole(population)).value
            except CertusError:
                continue  # the data lack what the metric needs, such as values above 0
            if math.isfinite(truth) and (case := _case(setting, population, job, truth, seed, samples)) is not None:
                cases.append(case)
    return cases


def _whole(population: Population) -> Rows:
    if population.groups is None:
        return population.columns
    sizes = np.diff(population.groups)
    return {**population.columns, "groups": np.repeat(np.arange(len(sizes)), sizes)}


def _case(setting: int, population: Population, job: Job, truth: float, seed: int, samples: int) -> Case | None:
    found: Case | None = None
    taken = 0
    for number, (times, enough) in enumerate(ROUNDS):
        limits, told, began = [], 0, time.process_time()
        for sample in range(times * samples):
            rows = population.sample(np.random.default_rng([seed, setting, number, sample]))
            estimate = job.estimate(rows)
            interval = estimate.interval(LEVEL)
            if math.isnan(estimate.value) or not interval.defined:
                limits.append((math.nan, math.nan))
            else:
                limits.append(interval[:2])
                told += bool(interval.reason)
            if time.process_time() - began > SECONDS:
                break
        taken = len(limits)
        found = _of(setting, population, job.metric, truth, np.array(limits), told)
        if found is None or taken < times * samples or found.covered >= enough:
            break
    return found


def _of(
    setting: int, population: Population, metric: str, truth: float, limits: NDArray[np.float64], told: int
) -> Case | None:
    there = ~np.isnan(limits[:, 0])
    if not there.any():
        return None
    low, high = limits[there].T
    slack = 1e-9 * max(1.0, abs(truth))
    above, below = float((low > truth + slack).mean()), float((high < truth - slack).mean())
    rows = population.n * (
        len(next(iter(population.columns.values()))) / (len(population.groups) - 1)
        if population.groups is not None
        else 1
    )
    return Case(
        setting, population.kind, metric, population.words, rows >= LEAST, len(limits), 1 - above - below, above, below,
        told / len(limits), float(1 - there.mean()), float(np.median(high - low)),
    )  # fmt: skip


def _share(cases: Sequence[Case], at_least: float) -> str:
    return f"{100 * sum(case.covered >= at_least for case in cases) / max(len(cases), 1):.1f} %"


def _table(cases: Sequence[Case]) -> None:
    bounds = (0.945, 0.94, 0.93, 0.92, 0.90)
    print(f"| data | cases | {' | '.join(f'{bound:g} or more' for bound in bounds)} | least | says so |")
    print("|---|--:|" + "--:|" * (len(bounds) + 2))
    silent = [case for case in cases if not case.says_so]
    by_kind = [(kind, list(group)) for kind, group in groupby(sorted(silent, key=_kind), _kind)]
    for kind, those in [("all", silent), *by_kind]:
        told = sum(case.says_so and kind in ("all", case.kind) for case in cases)
        least = f"{min(case.covered for case in those):.3f}" if those else ""
        print(f"| {kind} | {len(those)} | {' | '.join(_share(those, b) for b in bounds)} | {least} | {told} |")


def _kind(case: Case) -> str:
    return case.kind


def _rows(cases: Iterable[Case]) -> None:
    print("| metric | setting | covers | above | below | samples | says so |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for c in cases:
        told = f"{100 * (c.told + c.missing):.0f} %"
        name = f"`{c.metric}`"
        print(f"| {name} | {c.words} | {c.covered:.3f} | {c.above:.3f} | {c.below:.3f} | {c.samples} | {told} |")


def page(cases: Sequence[Case], command: str, before: Mapping[str, Any] | None) -> None:
    """The figures as a page of Markdown."""
    enough = [case for case in cases if case.enough]
    silent = sorted((case for case in enough if not case.says_so), key=lambda case: case.covered)
    few = [case for case in cases if not case.enough]
    print("# Coverage of the default intervals on settings drawn at random\n")
    print(
        f"Made by `{command}` at level {LEVEL}. A case is a metric in a setting; settings differ in size, prevalence,"
    )
    print("effect, classes, tails, ties, groups and their sizes, and weights, drawn from wide laws")
    print(
        "([populations.py](../bench/coverage/populations.py)). Each population is a table of which the metric is known,"
    )
    print(
        "and samples are drawn from it with replacement. The cases that look worst get 5 and then 15 times the samples,"
    )
    print(
        "and only their last round counts. A case *says so* if most of its intervals carry a remark or are missing.\n"
    )
    print(f"## From {LEAST} samples on, with 5 of the rarer class and 10 groups at least\n")
    print("Cases that do not say so:\n")
    _table(enough)
    print("\n## The 30 worst of them\n")
    _rows(silent[:30])
    print("\n## The worst of those that say so\n")
    _rows(sorted((case for case in enough if case.says_so), key=lambda case: case.covered)[:10])
    if few:
        print(f"\n## Below {LEAST} samples\n")
        _table(few)
    if before is not None:
        _against(enough, before)


def _against(cases: Sequence[Case], before: Mapping[str, Any]) -> None:
    ratios = []
    for case in cases:
        old = before.get(f"{case.setting} {case.metric}")
        if old and old["covered"] >= ENOUGH and old["width"] > 0:
            ratios.append(case.width / old["width"])
    print("\n## Width against the defaults before\n")
    quantiles = ", ".join(f"{q} % {np.percentile(ratios, q):.3f}" for q in (5, 25, 50, 75, 95))
    print(f"Ratio of the median widths in the {len(ratios)} cases that covered {ENOUGH:g} before: {quantiles}.")


def main() -> int:
    """Hunt, and print what was found."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--settings", type=int, default=300)
    options.add_argument("--samples", type=int, default=300, help="of a case's first round")
    options.add_argument("--metrics", type=int, default=6, help="of a setting, drawn at random")
    options.add_argument("--seed", type=int, default=2026)
    options.add_argument("--first", type=int, default=0, help="number of the first setting")
    options.add_argument("--kind", choices=list(KINDS), help="hunt in data of this kind only")
    options.add_argument("--processes", type=int, default=2)
    options.add_argument("--save", type=Path)
    options.add_argument("--against", type=Path)
    options.add_argument("--fail", action="store_true")
    asked = options.parse_args()
    kinds = [asked.kind] if asked.kind else list(KINDS)
    wanted = range(asked.first, asked.first + asked.settings)
    numbers = [i for i in wanted if list(KINDS)[i % len(KINDS)] in kinds]
    work = partial(hunted, seed=asked.seed, samples=asked.samples, at_most=asked.metrics)
    cases: list[Case] = []
    with ProcessPoolExecutor(asked.processes) as pool:
        for done, found in enumerate(pool.map(work, numbers), start=1):
            cases += found
            if sys.stderr.isatty():
                print(f"\r{done} of {len(numbers)} settings, {len(cases)} cases", end="", file=sys.stderr)
    given = [
        f"--{name} {value}" for name, value in vars(asked).items() if name in ("settings", "samples", "metrics", "seed")
    ]
    before = None
    if asked.against:
        before = {f"{each['setting']} {each['metric']}": each for each in json.loads(asked.against.read_text())}
    page(cases, f"python bench/coverage/hunt.py {' '.join(given)}", before)
    if asked.save:
        asked.save.write_text(json.dumps([case._asdict() for case in cases]))
    return int(asked.fail and _missed(cases))


def _missed(cases: Sequence[Case]) -> bool:
    """True if the bounds are missed by more than the noise of the samples."""
    silent = [case for case in cases if case.enough and not case.says_so]
    share = sum(case.covered >= ENOUGH - 2 * _noise(case) for case in silent) / max(len(silent), 1)
    worst = [case for case in silent if case.covered < WORST - 3 * _noise(case)]
    for case in worst:
        print(f"covers too little: {case.metric}, {case.words}: {case.covered:.3f}", file=sys.stderr)
    if share < 0.95:
        print(f"only {100 * share:.1f} % of the cases cover {ENOUGH:g}", file=sys.stderr)
    return bool(worst) or share < 0.95


def _noise(case: Case) -> float:
    return math.sqrt(LEVEL * (1 - LEVEL) / case.samples)


if __name__ == "__main__":
    raise SystemExit(main())
