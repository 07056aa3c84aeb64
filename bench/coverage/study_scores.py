"""Simulated coverage of the intervals for AUC, for average precision, and for mean losses of probabilities."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import integrate, special, stats

from certus import classification
from certus.inference import Estimate
from certus.metrics import Metric
from study import Call, Measured, heading, measured, row

Prevalence: TypeAlias = Literal["random", "fixed"]

__all__ = ["LAWS", "Law", "auc", "average_precision", "loss", "main"]

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Floats]

SAMPLES = 1000
REPLICATES = 999


class Law(NamedTuple):
    """Laws of the scores of positives and negatives: how to draw them, and how often they exceed a score."""

    name: str
    positives: Draw
    negatives: Draw
    exceed: tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]

    def curve(self) -> tuple[Floats, Floats]:
        """True and false positive rates at falling thresholds."""
        thresholds = np.concatenate([[np.inf], np.linspace(40, -12, 200_001), [-np.inf]])
        rates: tuple[Floats, Floats] = tuple(side(thresholds) for side in self.exceed)  # type: ignore[assignment]
        return rates

    def area(self) -> float:
        """The AUC; a tie counts half, as the trapezoid does."""
        hits, false = self.curve()
        return float(integrate.trapezoid(hits, false))

    def precision(self, prevalence: float) -> float:
        """The average precision where that share of the samples is positive."""
        hits, false = self.curve()
        there = prevalence * hits + (1 - prevalence) * false
        precision = np.divide(prevalence * hits, there, out=np.ones_like(hits), where=there > 0)
        return float((precision[1:] * np.diff(hits)).sum())


def normal(area: float, deviation: float = 1.0) -> Law:
    """Normal scores, those of the positives with another standard deviation."""
    shift = float(stats.norm.ppf(area)) * np.sqrt(1 + deviation**2)
    return Law(
        f"normal, AUC {area:g}" + ("" if deviation == 1 else f", positives spread {deviation:g} times as far"),
        lambda rng, n: rng.normal(shift, deviation, n),
        lambda rng, n: rng.standard_normal(n),
        (stats.norm(shift, deviation).sf, stats.norm.sf),
    )


def exponential(area: float) -> Law:
    """Exponential scores."""
    scale = area / (1 - area)
    return Law(
        f"exponential, AUC {area:g}",
        lambda rng, n: rng.exponential(scale, n),
        lambda rng, n: rng.standard_exponential(n),
        (stats.expon(scale=scale).sf, stats.expon.sf),
    )


def grades(area: float, cuts: Sequence[float]) -> Law:
    """Normal scores seen as grades only; a pair with the same grade is tied."""
    shift = float(stats.norm.ppf(area)) * np.sqrt(2)
    places = np.array(cuts)

    def exceed(shift: float) -> Callable[[Floats], Floats]:
        chances = np.append(np.append(1.0, stats.norm.sf(places - shift)), 0.0)
        return lambda thresholds: chances[np.searchsorted(np.arange(len(places) + 1), thresholds, "right")]

    return Law(
        f"{len(cuts) + 1} grades of normal scores",
        lambda rng, n: np.searchsorted(places, rng.normal(shift, 1, n)).astype(np.float64),
        lambda rng, n: np.searchsorted(places, rng.standard_normal(n)).astype(np.float64),
        (exceed(shift), exceed(0.0)),
    )


LAWS = (
    normal(0.75),
    normal(0.9),
    normal(0.97),
    normal(0.8, 2.0),
    exponential(0.8),
    grades(0.8, (-0.5, 0.3, 1.0, 1.8)),
)
SIZES = ((10, 10), (15, 150), (50, 50), (20, 2000), (200, 200))
PLAIN = tuple(map(Call, ("score-delong", "logit-delong", "delong", "hanley-mcneil")))
BOTH = (Call("percentile"), Call("percentile", True), Call("bca"), Call("bca", True))
FOR_AP = tuple(map(Call, ("influence-logit", "influence")))
FOR_MEANS = tuple(map(Call, ("t", "normal", "percentile", "bca", "bootstrap-t")))


def auc(law: Law, sizes: tuple[int, int], calls: Sequence[Call], samples: int = SAMPLES) -> dict[Call, Measured]:
    """Coverage of the intervals for AUC with so many positives and negatives."""
    return _of(classification.roc_auc, law, sizes, law.area(), calls, samples)


def average_precision(
    law: Law,
    sizes: tuple[int, int],
    calls: Sequence[Call],
    samples: int = SAMPLES,
    *,
    prevalence: Prevalence = "random",
    drawn: bool = True,
) -> dict[Call, Measured]:
    """Coverage of the intervals for AP with so many positives and negatives, or with as many on average if `drawn`."""
    metric = classification.average_precision.using(prevalence=prevalence)
    return _of(metric, law, sizes, law.precision(sizes[0] / sum(sizes)), calls, samples, drawn=drawn)


def _of(
    metric: Metric,
    law: Law,
    sizes: tuple[int, int],
    truth: float,
    calls: Sequence[Call],
    samples: int,
    *,
    drawn: bool = False,
) -> dict[Call, Measured]:
    rng = np.random.default_rng([*sizes, *law.name.encode()])
    size = sum(sizes)

    def draw(_sample: int) -> Estimate:
        positives = int(rng.binomial(size, sizes[0] / size)) if drawn else sizes[0]
        labels = np.repeat([1, 0], (positives, size - positives))
        scores = np.concatenate([law.positives(rng, positives), law.negatives(rng, size - positives)])
        return metric(labels, scores, labels=[0, 1])

    return measured(draw, truth, calls, samples, REPLICATES)


def loss(metric: Metric, n: int, sharper: float, calls: Sequence[Call], samples: int = SAMPLES) -> dict[Call, Measured]:
    """Coverage for a mean loss: logits normal with deviation 2, the predicted ones `sharper` times as large."""
    rng = np.random.default_rng([n, int(10 * sharper)])
    logits = np.linspace(-16, 16, 20_001)
    chance = special.expit(logits)
    losses = chance * _loss(metric, sharper * logits) + (1 - chance) * _loss(metric, -sharper * logits)
    truth = float(integrate.trapezoid(losses * stats.norm.pdf(logits, 0, 2), logits))

    def draw(_sample: int) -> Estimate:
        logits = rng.normal(0, 2, n)
        outcome = (rng.random(n) < special.expit(logits)).astype(np.int64)
        return metric(outcome, special.expit(sharper * logits), labels=[0, 1])

    return measured(draw, truth, calls, samples, REPLICATES)


def _loss(metric: Metric, logits: Floats) -> Floats:
    """The loss of an outcome that was predicted with these logits."""
    found: Floats = np.logaddexp(0, -logits) if metric == classification.log_loss else special.expit(-logits) ** 2
    return found


def main() -> None:
    """Print all tables."""
    print("## AUC\n")
    print(
        f"{SAMPLES:,} samples a setting, {REPLICATES} bootstrap replicates; `stratified` keeps the numbers of positives"
    )
    print("and negatives.\n")
    calls = (*PLAIN, *BOTH)
    heading(["scores", "positives, negatives"], (call.label for call in calls))
    for law in LAWS:
        for sizes in SIZES:
            few = calls if sizes[1] < 2000 else PLAIN
            row([law.name, "{}, {}".format(*sizes)], map(auc(law, sizes, few).get, calls))
    print("\n## Average precision\n")
    print("The same laws; the truth is the average precision of the population with that share of positives. First")
    print("simple random samples, the number of positives as given on average, then samples with just that many.")
    designs: tuple[tuple[bool, Prevalence, Prevalence], ...] = ((True, "random", "fixed"), (False, "fixed", "random"))
    for drawn, matching, other in designs:
        print(f"\n### {'Simple random samples' if drawn else 'A fixed number of positives'}\n")
        calls = (*FOR_AP, *(call for call in BOTH if call.stratified != drawn))
        heading(
            ["scores", "positives, negatives"],
            [*(f"{call.label} (prevalence {matching!r})" for call in calls), f"default (prevalence {other!r})"],
        )
        for law in (LAWS[0], LAWS[1], LAWS[3], LAWS[5]):
            for sizes in SIZES:
                few = calls if sizes[1] < 2000 else FOR_AP
                found = average_precision(law, sizes, few, prevalence=matching, drawn=drawn)
                against = average_precision(law, sizes, FOR_AP[:1], prevalence=other, drawn=drawn)
                row([law.name, "{}, {}".format(*sizes)], [*map(found.get, calls), *against.values()])
    print("\n## Mean losses\n")
    print("Logits are normal with standard deviation 2; the predictions are right, or have logits 3 times as large.\n")
    heading(["loss", "predictions", "n"], (call.label for call in FOR_MEANS))
    for metric, name in ((classification.log_loss, "log loss"), (classification.brier, "Brier")):
        for sharper in (1.0, 3.0):
            for n in (30, 100, 500):
                said = "right" if sharper == 1 else "overconfident"
                row([name, said, str(n)], loss(metric, n, sharper, FOR_MEANS).values())


if __name__ == "__main__":
    main()
