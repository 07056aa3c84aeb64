"""Measured type I error, coverage and power of the comparisons of systems; prints a Markdown page.

    python bench/coverage/comparisons.py > docs/coverage-compare.md

Takes about six minutes of CPU time. Every setting draws from its own seeded stream; all methods see the same samples.
With names of parts (`python bench/coverage/comparisons.py noisy labels`) it prints these parts only.
"""

import math
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

import certus
from certus.data import Labels
from certus.inference import Estimate, adjust, max_t, paired, paired_scores, tukey_hsd
from certus.metrics import parse
from certus.statistic import Mean
from certus.tasks.classification.comparison import compare_classifiers
from study import heading

SAMPLES = 1500
FEWER = 500
FAMILIES = 500
DATA_SETS = 1000
REPLICATES = 999
LEVEL = 0.95
ALPHA = 0.05
SIZES = (10, 25, 50)
TESTS = ("permutation-hall", "permutation", "hall", "t", "bootstrap-t", "wilcoxon", "sign")
INTERVALS = ("permutation-hall", "permutation", "t", "percentile", "bca", "bootstrap-t")
OF_TESTS = INTERVALS[:2]
INVERTED = 100
"""Samples for the width of the inverted permutation test: its limits are computed for these alone."""

DECIMALS = 3
"""Differences are rounded as reported values are; the permutation test then counts on a lattice, fast at every n."""

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Floats]


class Law(NamedTuple):
    """Differences per unit, with mean 0."""

    name: str
    draw: Draw


def average_precision(rng: np.random.Generator, n: int) -> Floats:
    """Differences of values like the average precision of a query: half are 0, the others small or, rarely, large.

    A system that was changed gains much on few queries and loses a little on many; the mean is 0.
    """
    kind = rng.random(n)
    gain, loss = rng.beta(1.2, 2.8, n), -rng.beta(1.0, 6.0, n)
    mean_gain, mean_loss = 0.3, 1 / 7
    share = 0.5 * mean_loss / (mean_gain + mean_loss)
    return np.where(kind < share, gain, np.where(kind < 0.5, loss, 0.0))


LAWS = (
    Law("normal", lambda rng, n: rng.standard_normal(n)),
    Law("exponential", lambda rng, n: rng.standard_exponential(n) - 1.0),
    Law("sparse, like AP", average_precision),
)


def rejections(law: Law, n: int, samples: int = SAMPLES, shift: float = 0.0) -> dict[str, float]:
    """The share of samples in which each test has p <= 0.05, its differences being shifted."""
    rng = np.random.default_rng([n, *law.name.encode(), 1])
    found = dict.fromkeys(TESTS, 0)
    for sample in range(samples):
        differences = np.round(law.draw(rng, n) + shift, DECIMALS)
        zero = np.zeros(n)
        for test in TESTS:
            p = paired(differences, zero, test, replicates=REPLICATES, seed=sample).p
            found[test] += p <= ALPHA * (1 + 1e-12)
    return {test: times / samples for test, times in found.items()}


class Holdings(NamedTuple):
    """Shares of intervals that hold 0, lie above it and below it, and the mean width as a ratio to Student's t."""

    covered: float
    above: float
    below: float
    width: float


def coverage(law: Law, n: int, samples: int = SAMPLES) -> dict[str, Holdings]:
    """Coverage of the intervals for the mean difference, 0, in the same samples."""
    rng = np.random.default_rng([n, *law.name.encode(), 1])
    limits = np.empty((len(INTERVALS), samples, 2))
    for sample in range(samples):
        differences = np.round(law.draw(rng, n), DECIMALS)
        estimate = Estimate(Mean(differences))
        for i, method in enumerate(INTERVALS):
            if method not in OF_TESTS:
                limits[i, sample] = estimate.interval(LEVEL, method, replicates=REPLICATES, seed=sample)[:2]
                continue
            found = paired(differences, np.zeros(n), method)
            if sample < INVERTED:
                limits[i, sample] = found.difference.interval(LEVEL)[:2]
            else:  # the interval excludes 0 where the test rejects; how far it reaches is not looked at
                side = math.copysign(1.0, found.difference.value) if found.p <= ALPHA * (1 + 1e-12) else 0.0
                limits[i, sample] = (
                    (side, math.nan) if side > 0 else (math.nan, side) if side < 0 else (-math.inf, math.inf)
                )
    held: dict[str, Holdings] = {}
    t_widths = np.diff(limits[INTERVALS.index("t")])
    for method, (low, high) in zip(INTERVALS, limits.transpose(0, 2, 1), strict=True):
        above, below = float((low > 0).mean()), float((high < 0).mean())
        covered = float(((low <= 0) & (high >= 0)).mean())
        some = slice(INVERTED if method in OF_TESTS else None)
        width = float(np.mean((high - low)[some]) / np.mean(t_widths[some]))
        held[method] = Holdings(covered, above, below, width)
    return held


FAMILY_TESTS = ("none", "holm", "max-T", "Tukey HSD")


def familywise_error(law: Law, n: int, systems: int, samples: int = FAMILIES) -> dict[str, float]:
    """The share of samples of equal systems in which any of all pairs is found different."""
    rng = np.random.default_rng([n, systems, *law.name.encode(), 2])
    first, second = np.triu_indices(systems, 1)
    found = dict.fromkeys(FAMILY_TESTS, 0)
    for sample in range(samples):
        # A topic's own difficulty moves all systems alike.
        drawn = np.column_stack([law.draw(rng, n) for _ in range(systems)])
        scores = np.round(drawn + rng.normal(0, 1, (n, 1)), DECIMALS)
        differences = scores[:, first] - scores[:, second]
        raw = np.array([paired(each, np.zeros(n), "permutation").p for each in differences.T])
        found["none"] += bool(raw.min() <= ALPHA)
        found["holm"] += bool(np.min(adjust(raw, "holm")) <= ALPHA)
        found["max-T"] += bool(max_t(differences, replicates=REPLICATES, seed=sample).p.min() <= ALPHA)
        hsd = tukey_hsd(scores, replicates=REPLICATES, seed=sample).p[first, second]
        found["Tukey HSD"] += bool(hsd.min() <= ALPHA)
    return {test: times / samples for test, times in found.items()}


def noisy(systems: int, few: int, n: int = 50, samples: int = FAMILIES) -> dict[str, float]:
    """As `familywise_error`, of near-copies of one system and a few noisy ones: equal means, unequal variances."""
    rng = np.random.default_rng([n, systems, few, 3])
    first, second = np.triu_indices(systems, 1)
    found = dict.fromkeys(("max-T", "Tukey HSD"), 0)
    for sample in range(samples):
        scores = rng.normal(size=(n, 1)) + 0.1 * rng.normal(size=(n, systems))
        scores[:, :few] += rng.normal(size=(n, few))
        differences = scores[:, first] - scores[:, second]
        found["max-T"] += bool(max_t(differences, replicates=REPLICATES, seed=sample).p.min() <= ALPHA)
        hsd = tukey_hsd(scores, replicates=REPLICATES, seed=sample).p[first, second]
        found["Tukey HSD"] += bool(hsd.min() <= ALPHA)
    return {test: times / samples for test, times in found.items()}


def rare(share: float, noise: float) -> Draw:
    """Losses of 1 on a share of the units, made up for by small gains on the others, and normal noise."""

    def draw(rng: np.random.Generator, n: int) -> Floats:
        lost = rng.random(n) < share
        return np.where(lost, -1.0, share / (1 - share)) + noise * rng.standard_normal(n)

    return draw


def log_loss(rng: np.random.Generator, n: int) -> Floats:
    """Differences of the log loss of a sharper and a flatter classifier of one score, less their mean."""
    score = rng.normal(1, 1.5, n)
    return np.log1p(np.exp(-2 * score)) - np.log1p(np.exp(-score)) - LOG_LOSS


_POINTS, _MASSES = np.polynomial.hermite_e.hermegauss(150)
LOG_LOSS = float(
    (np.log1p(np.exp(-2 * (1 + 1.5 * _POINTS))) - np.log1p(np.exp(-(1 + 1.5 * _POINTS)))) @ _MASSES / _MASSES.sum()
)
"""The mean of the differences before it is taken off."""


def runs(rng: np.random.Generator, n: int) -> Floats:
    """Differences of two runs of the demo by one of four metrics, drawn from all queries, less their mean."""
    populations = differences_of_runs()
    population = populations[rng.integers(len(populations))]
    return rng.choice(population - population.mean(), n)


def runs_with_ties(rng: np.random.Generator, n: int) -> Floats:
    """The same with mean 0 by exponential weights of the queries instead, so that ties stay ties."""
    population, weights = weighted_to_mean_0()[rng.integers(len(differences_of_runs()))]
    return rng.choice(population, n, p=weights)


@cache
def weighted_to_mean_0() -> list[tuple[Floats, Floats]]:
    """The differences of runs, and weights with which their mean is 0."""
    found = []
    for population in differences_of_runs():
        tilt = brentq(lambda t, x=population: np.exp(t * x) @ x, -100, 100)
        weights = np.exp(tilt * population)
        found.append((population, weights / weights.sum()))
    return found


@cache
def differences_of_runs() -> list[Floats]:
    """Those of the demo's three runs."""
    folder = Path(certus.__file__).parent / "demo"
    files = [str(folder / f"{name}.run.gz") for name in ("bm25", "tfidf", "names")]
    compared = certus.compare(str(folder / "qrels.txt.gz"), files, ["nDCG@10", "AP", "RR", "R@100"])
    values = [list(of_metric.values()) for of_metric in compared.per_unit.values()]
    return [runs[i] - runs[j] for runs in values for i, j in ((0, 1), (0, 2), (1, 2))]


ASYMMETRIC = (
    Law("normal", lambda rng, n: rng.standard_normal(n)),
    Law("Student t, 3 degrees of freedom", lambda rng, n: rng.standard_t(3, n)),
    Law("differences of runs", runs),
    Law("differences of runs, ties kept", runs_with_ties),
    Law("exponential", lambda rng, n: rng.standard_exponential(n) - 1.0),
    Law("lognormal", lambda rng, n: rng.lognormal(size=n) - math.exp(0.5)),
    Law("lognormal, sigma 1.5", lambda rng, n: rng.lognormal(sigma=1.5, size=n) - math.exp(1.125)),
    Law("Pareto 2.5", lambda rng, n: rng.pareto(2.5, n) - 1 / 1.5),
    Law("log loss", log_loss),
    Law("loses 10 %, noise", rare(0.1, 0.1)),
    Law("loses 5 %, noise", rare(0.05, 0.05)),
    Law("loses 2 %, noise", rare(0.02, 0.02)),
)
OF_ASYMMETRIC = ("permutation-hall", "permutation", "t", "hall")


class Share(NamedTuple):
    """Rejections by each test, by the default for each sign, and its width in that of the permutation test."""

    rejected: dict[str, float]
    above: float
    below: float
    width: float


def asymmetric(law: Law, n: int, samples: int) -> Share:
    """Tests of equal means, and the median width of the default interval as a part of that of the permutation test."""
    rng = np.random.default_rng([n, *law.name.encode(), 5])
    found = dict.fromkeys(OF_ASYMMETRIC, 0)
    signs = [0, 0]
    widths: list[float] = []
    for _ in range(samples):
        differences, zero = law.draw(rng, n), np.zeros(n)
        results = {test: paired(differences, zero, test) for test in OF_ASYMMETRIC}
        for test, result in results.items():
            found[test] += result.p <= ALPHA * (1 + 1e-12)
        if results["permutation-hall"].p <= ALPHA * (1 + 1e-12):
            signs[int(differences.sum() < 0)] += 1
        if len(widths) < INVERTED:
            (low, high), (least, most) = (results[test].interval() for test in OF_ASYMMETRIC[:2])
            widths.append((high - low) / (most - least) if most > least else 1.0)
    shares = {test: times / samples for test, times in found.items()}
    return Share(shares, signs[0] / samples, signs[1] / samples, float(np.median(widths)))


def asymmetric_part() -> None:
    """The table of equal means with asymmetric differences."""
    print("\n## Equal means, asymmetric differences\n")
    print(f"How often p <= {ALPHA} where the mean difference is 0: {FEWER:,} samples a setting, standard error")
    print(f"{error(ALPHA, FEWER)}; for the default (`permutation-hall`) also with a mean above and below 0, and the")
    print(f"median width of its interval as a multiple of the permutation test's, over {INVERTED} samples.")
    print("`loses 5 %`: -1 on 5 % of the units, small gains on the others, normal noise; `differences of runs`: of the")
    print(
        "demo's three runs by nDCG@10, AP, RR and R@100, drawn from 400 queries, less their mean, or (`ties kept`) with"
    )
    print("weights that make their mean 0; `log loss`: of two classifiers.\n")
    heading(("differences", "n"), (*OF_ASYMMETRIC, "default above / below", "width"))
    for law in ASYMMETRIC:
        for n in (10, 30, 50, 100, 200):
            found = asymmetric(law, n, FEWER)
            shown = " | ".join(f"{share:.3f}" for share in found.rejected.values())
            signs = f"{found.above:.3f} / {found.below:.3f}"
            print(f"| {law.name} | {n} | {shown} | {signs} | {found.width:.2f} |", flush=True)


OF_LABELS = ("Accuracy", "F1", "MCC", "BalancedAccuracy")


def of_labels(n: int, positives: float, samples: int = FEWER) -> dict[str, float]:
    """The share of samples in which two equally good classifiers of two classes have p <= 0.05."""
    rng = np.random.default_rng([n, round(100 * positives), 4])
    metrics = {name: parse(name, task="classification") for name in OF_LABELS}
    found = dict.fromkeys(OF_LABELS, 0)
    for _ in range(samples):
        truth = (rng.random(n) < positives).astype(int)
        truth[:2] = 0, 1
        alike = rng.random(n) < 0.3
        wrong = [rng.random(n) < np.where(truth == 1, 0.25, 0.1) for _ in range(2)]
        labels = [np.where(np.where(alike, wrong[0], each), 1 - truth, truth) for each in wrong]
        data = [Labels.from_arrays(truth, each, pos_label=1) for each in labels]
        for name, metric in metrics.items():
            found[name] += compare_classifiers(metric, data[0], data[1]).p <= ALPHA
    return {name: times / samples for name, times in found.items()}


class Scored(NamedTuple):
    """Share of samples with p at most 0.05, and share whose interval holds 0."""

    rejected: float
    covered: float


def scored(
    metric: Literal["roc_auc", "average_precision"], positives: int, negatives: int, samples: int = DATA_SETS
) -> Scored:
    """Two equally good scores that correlate at 0.5, binormal with AUC 0.76."""
    rng = np.random.default_rng([positives, negatives, *metric.encode()])
    truth = np.repeat([1, 0], [positives, negatives])
    rejected = covered = 0
    for _ in range(samples):
        common = math.sqrt(0.5) * rng.standard_normal(len(truth)) + truth
        a, b = (common + math.sqrt(0.5) * rng.standard_normal(len(truth)) for _ in range(2))
        result = paired_scores(truth, a, b, metric)
        low, high, *_ = result.difference.interval(LEVEL)
        rejected += result.p <= ALPHA
        covered += low <= 0 <= high
    return Scored(rejected / samples, covered / samples)


def error(chance: float, samples: int) -> str:
    """The simulation's standard error, as text."""
    return f"{math.sqrt(chance * (1 - chance) / samples):.4f}"


def rejection_table(samples: int, shifts: Sequence[float]) -> None:
    """A row for each law and size: how often each test rejects."""
    heading(("differences", "n"), TESTS)
    for law, shift in zip(LAWS, shifts, strict=True):
        for n in SIZES:
            shown = (f"{share:.3f}" for share in rejections(law, n, samples, shift).values())
            print(f"| {law.name} | {n} | {' | '.join(shown)} |", flush=True)


def noisy_part() -> None:
    """The table of systems that are not exchangeable."""
    print("\n## Systems that are not exchangeable\n")
    print("All means are equal, but a few systems are noisy and the others near-copies of one another: n = 50,")
    print(f"{FAMILIES:,} samples, standard error {error(ALPHA, FAMILIES)}, {REPLICATES} random permutations.\n")
    heading(("systems", "noisy"), ("max-T", "Tukey HSD"))
    for systems, few in ((6, 2), (10, 2), (10, 5), (20, 2)):
        print(f"| {systems} | {few} | {' | '.join(f'{x:.3f}' for x in noisy(systems, few).values())} |", flush=True)


def labels_part() -> None:
    """The table of metrics of labels."""
    print("\n## Two classifiers of the same samples\n")
    print(
        "How often two equally good classifiers (errors of 25 % on positives, 10 % on negatives, a part of them shared)"
    )
    print(f"have p <= {ALPHA} by the default tests: {FEWER} samples a setting, standard error {error(ALPHA, FEWER)}.\n")
    heading(("n", "positives"), OF_LABELS)
    for n in (20, 50, 200):
        for positives in (0.5, 0.1):
            found = of_labels(n, positives).values()
            print(f"| {n} | {positives:.0%} | {' | '.join(f'{x:.3f}' for x in found)} |", flush=True)


READING = """
## What this says

- Permutation and t tests are within the simulation's error of their level for normal differences, and reject equal
  means too often where differences are skewed: .07 to .09 of exponential ones, half to two thirds of the samples of 10
  to 30 units where one system loses much on few of them. The default, `permutation-hall`, is the larger p of the
  permutation test and the skewness-corrected t: .035 to .049 of normal and .043 to .052 of exponential differences.
- The default is at its level as soon as a sample shows some of the losses: from 30 units on where 10 % are lost, from
  100 where 5 % are (.068 at 50), from 200 where 2 % are (.140 at 100). What no unit shows, no test of the differences
  alone allows for: rows whose differences have one sign say so. With longer tails it is near its level from 100 units
  on; of 10 units it rejects .076 to .144 of lognormal, Pareto and log loss differences.
- Differences of runs less their mean are rejected in .088 of the samples of 10, .066 of 30. A third of those of 10 are
  an artefact: queries with equal values have the difference 0, less the mean none has, and ten such queries look like
  ten equal losses (.027 of the samples). With ties kept the default rejects .016 of 10, .032 of 30 and .048 to .058 of
  50 and more. Of 112 pairs of runs of TREC's robust track, 100 queries each, by nDCG@10, AP, RR and P@10, it rejects
  .041 and .027 of 10 (less the mean, ties kept), .039 and .051 of 30 (900 samples a figure, standard error .007).
- The price, as the median width in that of the permutation test: normal differences 1.03 of 10 units, 1.02 of 30, 1.01
  of 50; Student's t with 3 degrees of freedom 1.10 of 10, 1.05 of 30 and of 50; differences of runs 1.18 of 10, 1.05 of
  30, 1.03 of 50, 1.01 of 100 and more. So it is at most 1.05 from 30 units on, and not of 10, where sign flips alone
  are too short: they reject .124 of the differences less their mean, Student's t .070. The mean width of 10 normal
  differences is 1.11 in that of Student's t. In power it costs .03 of .29 at 10 units, .01 of .71 at 25.
- Wilcoxon and sign tests ask another question. Where the mean difference is 0 but the median is not, they find
  a difference ever more often the more queries there are: at n = 50 in 23% and 40% of the exponential samples.
- The interval of a test covers as often as the test does not reject. For sparse differences and few queries the
  bootstrap intervals miss samples without one of the rare large gains; a width of inf is that of samples in which some
  resamples have no spread. For skewed differences that are not sparse, bootstrap-t and the default hold their level
  best, at up to .6 of the width more.
- Holm and max-T keep the chance of any false finding; uncorrected p-values do not. Tukey HSD keeps it where all systems
  are exchangeable, and not where some pairs vary much more than others.
- Metrics of labels: McNemar's exact test for accuracy, below its level as every exact test of counts; the delta method
  for others, which with fewer than 15 samples of a class is adjusted and then finds less."""


def main() -> None:
    """Print the page."""
    parts = {"noisy": noisy_part, "labels": labels_part, "asymmetric": asymmetric_part}
    for part in sys.argv[1:]:
        parts[part]()
    if sys.argv[1:]:
        return
    started = time.process_time()

    def used(part: str) -> None:
        print(f"{part}: {time.process_time() - started:.0f} s CPU", file=sys.stderr)

    print("# Error rates of the comparisons, simulated\n")
    print(
        "Made by `python bench/coverage/comparisons.py > docs/coverage-compare.md`. All systems compared are "
        "equal in the"
    )
    print("mean, except for power. Differences per query: `normal`; `exponential`, less their mean of 1; `sparse, like")
    print("AP`, half of them 0, a few large gains Beta(1.2, 2.8), many small losses Beta(1, 6), with mean 0. For the")
    print("tests they are rounded to three decimals.\n")
    print("## Type I error\n")
    print(
        f"How often p <= {ALPHA} where the mean difference is 0: {SAMPLES:,} samples a setting, {REPLICATES} resamples"
    )
    print(f"for the bootstrap-t, standard error of the simulation {error(ALPHA, SAMPLES)}.\n")
    rejection_table(SAMPLES, (0.0, 0.0, 0.0))
    used("type I error")
    asymmetric_part()
    used("asymmetric differences")
    print("\n## Coverage of the intervals for the difference\n")
    print(f"Same samples, nominal level {LEVEL}, standard error {error(LEVEL, SAMPLES)}. Each cell: coverage (interval")
    print("wholly above 0 / wholly below it), and below it the mean width as a ratio to Student's t, of the inverted")
    print(f"permutation tests over the first {INVERTED} samples.\n")
    heading(("differences", "n"), INTERVALS)
    for law in LAWS:
        for n in SIZES:
            found = coverage(law, n)
            cells = (f"**{m.covered:.3f}** ({m.above:.3f} / {m.below:.3f})<br>{m.width:.2f}" for m in found.values())
            print(f"| {law.name} | {n} | {' | '.join(cells)} |", flush=True)
    used("coverage")
    print("\n## Power\n")
    print("How often p <= 0.05 where the mean difference is about half a standard deviation: 0.5, 0.5 and 0.07")
    print(f"({FEWER} samples). A test that rejects too often where there is nothing is not the better for rejecting")
    print("often here.\n")
    rejection_table(FEWER, (0.5, 0.5, 0.07))
    used("power")
    print("\n## All pairs of several systems\n")
    print(
        f"The share of samples of equal systems in which any pair is found different at {ALPHA}: {FAMILIES:,} samples,"
    )
    print(
        f"standard error {error(ALPHA, FAMILIES)}; {REPLICATES} random permutations for max-T and Tukey HSD; `none` and"
    )
    print("`holm` on exact permutation tests. Queries differ in difficulty, alike for all systems.\n")
    heading(("values", "n", "systems"), FAMILY_TESTS)
    for law in (LAWS[0], LAWS[2]):
        for n, systems in ((10, 4), (25, 4), (25, 6)):
            shown = (f"{share:.3f}" for share in familywise_error(law, n, systems).values())
            print(f"| {law.name} | {n} | {systems} | {' | '.join(shown)} |", flush=True)
    used("families")
    noisy_part()
    labels_part()
    used("noisy and labels")
    print("\n## Two scores of the same samples\n")
    print("`paired_scores` for two equally good scores, binormal with AUC 0.76, that correlate at 0.5:")
    print(f"{DATA_SETS:,} data sets a setting, standard error {error(ALPHA, DATA_SETS)}.\n")
    heading(("positives", "negatives"), ("AUC: type I", "AUC: coverage", "AP: type I", "AP: coverage"))
    for positives, negatives in ((15, 50), (50, 50), (50, 500)):
        found_scores = [scored("roc_auc", positives, negatives), scored("average_precision", positives, negatives)]
        shown = (f"{each:.3f}" for pair in found_scores for each in pair)
        print(f"| {positives} | {negatives} | {' | '.join(shown)} |", flush=True)
    used("scores")
    print(READING)


if __name__ == "__main__":
    main()
