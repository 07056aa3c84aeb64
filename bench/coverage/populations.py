"""Populations drawn at random, from which the coverage hunter takes its samples.

A population is a large table of units. Samples are taken from it with replacement, so the metric of the whole table is
the exact truth of every sample. The laws are wide on purpose: no setting is left out because an interval fails there.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["KINDS", "Population", "draw"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rng = np.random.Generator

UNITS = 40_000
GROUPS = 3_000
QUERIES = 1_500
CLASSES = 12
RAREST = 8
"""Expected units of the rarer class in a sample; samples with fewer than 5 are drawn again."""


class Population(NamedTuple):
    """A table of units, how many of them a sample takes, and the words that tell one setting from another."""

    kind: str
    words: str
    columns: Mapping[str, NDArray[Any]]
    n: int
    groups: Ints | None = None
    """First row of each group, and the number of rows last; a sample then takes `n` groups."""
    rarest: str | None = None
    """The column whose rarer value must occur 5 times in a sample."""

    def sample(self, rng: Rng) -> dict[str, NDArray[Any]]:
        """Rows drawn with replacement, or all rows of groups drawn so, which get a column of their own."""
        rows = self._rows(rng)
        while self.rarest is not None and np.unique(rows[self.rarest], return_counts=True)[1].min() < 5:
            rows = self._rows(rng)
        return rows

    def _rows(self, rng: Rng) -> dict[str, NDArray[Any]]:
        size = len(next(iter(self.columns.values())))
        if self.groups is None:
            chosen = rng.integers(size, size=self.n)
            return {name: column[chosen] for name, column in self.columns.items()}
        drawn = rng.integers(len(self.groups) - 1, size=self.n)
        first, sizes = self.groups[drawn], np.diff(self.groups)[drawn]
        starts = np.cumsum(sizes) - sizes
        chosen = np.arange(sizes.sum()) + np.repeat(first - starts, sizes)
        rows = {name: column[chosen] for name, column in self.columns.items()}
        return {**rows, "groups": np.repeat(np.arange(self.n), sizes)}


class _Frame(NamedTuple):
    """Units: their groups, the part a group shares, their weights, and the size of a sample."""

    size: int
    n: int
    groups: Ints | None
    shared: Floats
    """Standard normal; correlated within groups."""
    weights: Floats | None
    words: str
    rows: float
    """Expected rows of a sample."""


def draw(kind: str, rng: Rng) -> Population:
    """A population of the kind, one of `KINDS`."""
    return KINDS[kind](rng)


def _log_uniform(rng: Rng, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def _frame(rng: Rng, most: int = 3000, *, plain: bool = False) -> _Frame:
    grouped, weighted = (False, False) if plain else (rng.random() < 0.3, rng.random() < 0.2)
    words, groups = [], None
    if grouped:
        n, mean, spread = int(_log_uniform(rng, 10, 100)), _log_uniform(rng, 2, 30), rng.choice([0.0, 0.3, 0.7, 1.2])
        sizes = np.maximum(1, np.round(mean * np.exp(spread * rng.standard_normal(GROUPS)))).astype(np.int64)
        groups = np.append(0, np.cumsum(sizes))
        alike = rng.uniform(0, 0.8)
        size, rows = int(groups[-1]), n * float(sizes.mean())
        shared = np.sqrt(alike) * np.repeat(rng.standard_normal(GROUPS), sizes)
        shared += np.sqrt(1 - alike) * rng.standard_normal(size)
        words.append(f"{n} groups of about {rows / n:.0f} (log sd {spread:g}, shared {alike:.2f})")
    else:
        n, size = int(_log_uniform(rng, 25, most)), UNITS
        rows, shared = float(n), rng.standard_normal(size)
        words.append(f"n {n}")
    weights = None
    if weighted:
        spread, tied = rng.uniform(0.2, 1.3), rng.choice([0.0, 0.5])
        weights = np.exp(spread * (np.sqrt(1 - tied**2) * rng.standard_normal(size) + tied * shared))
        words.append(f"weights of log sd {spread:.1f}{', tied to the outcome' if tied else ''}")
    return _Frame(size, n, groups, shared, weights, ", ".join(words), rows)


def _population(kind: str, frame: _Frame, words: str, rarest: str | None = None, **columns: Any) -> Population:
    if frame.weights is not None:
        columns["weights"] = frame.weights
    return Population(kind, f"{frame.words}; {words}", columns, frame.n, frame.groups, rarest)


def _standard(rng: Rng, law: str, size: int, shared: Floats) -> Floats:
    """Values of a law with the order of `shared`, of about unit spread; some are heavy-tailed or skewed."""
    from scipy.special import ndtr, ndtri

    u = np.clip(ndtr(shared), 1e-9, 1 - 1e-9)
    if law == "normal":
        return np.asarray(ndtri(u))
    if law == "exponential":
        return np.asarray(-np.log1p(-u) - 1)
    if law == "lognormal":
        return np.asarray(np.exp(ndtri(u)) - np.exp(0.5))
    if law == "uniform":
        return np.asarray((u - 0.5) * 3.4)
    if law == "bimodal":
        return np.asarray(np.where(u < 0.3, -1.5, 0.7) + 0.3 * rng.standard_normal(size))
    from scipy.stats import t

    return np.asarray(t.ppf(u, float(law[1:])))


LAWS = ("normal", "exponential", "lognormal", "uniform", "bimodal", "t3", "t6")


def _classes_of_two(rng: Rng, frame: _Frame, shared: Floats) -> tuple[NDArray[np.bool_], float]:
    """Positive units, more likely where `shared` is high; and their share."""
    share = _log_uniform(rng, min(0.4, RAREST / frame.rows), 0.5)
    tie = rng.uniform(0, 0.7) if frame.groups is not None else 0.0
    hidden = tie * shared + np.sqrt(1 - tie**2) * rng.standard_normal(frame.size)
    return hidden > np.quantile(hidden, 1 - share), share


def _scores(rng: Rng) -> Population:
    """Scores of two classes: separated little or much, of any shape, tied or not, or in clusters."""
    frame = _frame(rng)
    positive, score, words = (_clustered_scores if rng.random() < 0.25 else _smooth_scores)(rng, frame)
    score, tied = _equalize_sizes(rng, score)
    if rng.random() < 0.15:
        positive = ~positive
        tied += ", turned around"
    return _population("scores", frame, words + tied, "truth", truth=positive.astype(int), score=score)


def _smooth_scores(rng: Rng, frame: _Frame) -> tuple[NDArray[np.bool_], Floats, str]:
    """Each class has a law of its own."""
    positive, share = _classes_of_two(rng, frame, frame.shared)
    law, other = rng.choice(LAWS, 2)
    gap, ratio = rng.uniform(0, 4.5), _log_uniform(rng, 0.4, 2.5)
    own = rng.standard_normal(frame.size)
    noise = frame.shared if frame.groups is not None else own
    score = np.where(
        positive,
        gap + ratio * _standard(rng, str(law), frame.size, noise),
        _standard(rng, str(other), frame.size, noise),
    )
    hard = float(rng.choice([0.0, 0.0, 0.05, 0.3]))
    lost = positive & (rng.random(frame.size) < hard)
    score[lost] = rng.permutation(score[~positive])[: int(lost.sum())]
    words = f"positives {share:.3f}, {law} / {other}, gap {gap:.1f}, sd ratio {ratio:.2f}, hard {hard:g}"
    return positive, score, words


def _clustered_scores(rng: Rng, frame: _Frame) -> tuple[NDArray[np.bool_], Floats, str]:
    """Clusters with gaps between them, each with a share of positives of its own: the share changes at sharp edges."""
    clusters, share = int(rng.integers(2, 9)), _log_uniform(rng, min(0.4, RAREST / frame.rows), 0.5)
    cluster = np.searchsorted(np.cumsum(rng.dirichlet(np.ones(clusters)))[:-1], _dense(frame.shared))
    odds = np.exp(_log_uniform(rng, 0.2, 4) * rng.standard_normal(clusters))
    if rng.random() < 0.7:
        odds.sort()
    sizes = np.bincount(cluster, minlength=clusters) / frame.size
    odds *= np.exp(_shift(odds, sizes, share))
    positive = rng.random(frame.size) < (odds / (1 + odds))[cluster]
    words = f"positives {positive.mean():.3f}, {clusters} clusters of {np.round(odds / (1 + odds), 2).tolist()}"
    return positive, cluster + 0.5 * rng.random(frame.size), words


def _shift(odds: Floats, sizes: Floats, share: float) -> float:
    """The shift of all log odds that gives a share of positives."""
    low, high = -40.0, 40.0
    for _ in range(60):
        middle = (low + high) / 2
        there = odds * np.exp(middle)
        low, high = (middle, high) if sizes @ (there / (1 + there)) < share else (low, middle)
    return low


def _equalize_sizes(rng: Rng, score: Floats) -> tuple[Floats, str]:
    """The scores as they are, in levels of any size, rounded, or with many at one end or at both."""
    words = ""
    if rng.random() < 0.25:
        least, greatest = rng.choice([0.0, 0.05, 0.3, 0.6], 2, p=[0.3, 0.2, 0.3, 0.2]) * [1, 0.6]
        score = np.clip(score, *np.quantile(score, [least, 1 - greatest]))
        words += f", {least:.2f} at the least score, {greatest:.2f} at the greatest"
    if rng.random() < 0.35:
        levels = int(rng.choice(np.array([2, 5, 100, int(rng.integers(3, 30))])))
        places = score - score.min()
        ranked = rng.random() < 0.6
        places = _dense(score) if ranked else places / places.max()
        score = np.floor(levels * np.minimum(places, 1 - 1e-9) ** rng.choice([0.3, 1.0, 3.0]))
        words += f", {levels} levels{'' if ranked else ' of even width'}"
    return score, words


def _dense(values: Floats) -> Floats:
    """The share of lower values: the same where values are tied."""
    return np.asarray(np.searchsorted(np.sort(values), values) / len(values))


def _probabilities(rng: Rng) -> Population:
    """Probabilities of two classes, calibrated, shifted, too sure or too timid."""
    frame = _frame(rng)
    share = _log_uniform(rng, min(0.4, RAREST / frame.rows), 0.5)
    spread = _log_uniform(rng, 0.3, 3)
    logit = np.log(share / (1 - share)) - 0.3 * spread**2 * (0.5 - share) + spread * frame.shared
    truth = rng.random(frame.size) < 1 / (1 + np.exp(-logit))
    shift, slope, noise = rng.normal(0, 0.4), _log_uniform(rng, 0.5, 2.5), rng.choice([0.0, 0.5])
    given = shift + slope * logit + noise * rng.standard_normal(frame.size)
    words = (
        f"positives {truth.mean():.3f}, logit sd {spread:.1f}, shift {shift:+.1f}, slope {slope:.1f}, noise {noise:g}"
    )
    score = np.clip(1 / (1 + np.exp(-given)), 1e-12, 1 - 1e-12)
    if rng.random() < 0.2:
        sure = float(rng.choice([0.01, 0.1]))
        score = np.where(score < sure, 0.01, np.where(score > 1 - sure, 0.99, score))
        words += f", {np.mean((score == 0.01) | (score == 0.99)):.2f} at .01 and .99"
    if rng.random() < 0.3:
        digits = int(rng.choice([1, 2]))
        score = np.clip(np.round(score, digits), 0.02, 0.98)
        words += f", rounded to {digits} digits"
    return _population("probabilities", frame, words, "truth", truth=truth.astype(int), score=score)


def _labels(rng: Rng) -> Population:
    """True and predicted classes, 2 to 12 of them, even or not, nearly always right to hardly ever."""
    frame = _frame(rng)
    k = 2 if rng.random() < 0.4 else int(rng.integers(3, CLASSES + 1))
    shares = rng.dirichlet(np.full(k, _log_uniform(rng, 0.5, 20)))
    least = min(0.8 / k, RAREST / frame.rows)
    shares = least + (1 - k * least) * shares
    level = rng.uniform(0, 1) ** 0.5
    right = np.clip(rng.beta(0.5 + 12 * level, 0.5 + 12 * (1 - level), size=k), 0.0, 0.998)
    wrong = rng.dirichlet(np.full(k, 0.7), size=k)
    from scipy.special import ndtr

    truth = np.searchsorted(np.cumsum(shares)[:-1], rng.random(frame.size))
    easy = ndtr(frame.shared) if frame.groups is not None else rng.random(frame.size)
    guess = np.where(easy < right[truth], truth, 0)
    mistaken = np.flatnonzero(easy >= right[truth])
    cumulated = np.cumsum(wrong, axis=1)
    guess[mistaken] = (rng.random(len(mistaken))[:, None] > cumulated[truth[mistaken], :-1]).sum(axis=1)
    words = f"{k} classes, rarest {shares.min():.3f}, right {float((guess == truth).mean()):.3f}"
    return _population("two labels" if k == 2 else "labels", frame, words, "truth", truth=truth, guess=guess)


def _numbers(rng: Rng) -> Population:
    """Targets and predictions, with errors light or heavy in the tails, even or growing with the target."""
    frame = _frame(rng)
    law, shape = str(rng.choice([*LAWS, "t2.5"])), str(rng.choice(["normal", "lognormal", "uniform"]))
    grouped = frame.groups is not None
    signal = _standard(rng, shape, frame.size, rng.standard_normal(frame.size))
    error = _standard(rng, law, frame.size, frame.shared if grouped else rng.standard_normal(frame.size))
    noise, bias, growing = _log_uniform(rng, 0.05, 2), rng.choice([0.0, 0.3]), rng.random() < 0.3
    error = noise * (error - bias) * (1 + np.abs(signal) if growing else 1)
    words = f"{shape} targets, {law} errors x {noise:.2f}{', growing' if growing else ''}{', biased' if bias else ''}"
    truth = signal + error
    if rng.random() < 0.3:
        step, none = _log_uniform(rng, 0.01, 2), float(rng.choice([0.0, 0.2, 0.7]))
        truth = np.where(rng.random(frame.size) < none, 0.0, step * np.round(truth / step))
        words += f", targets in steps of {step:.2f}, {none:g} of them 0"
    if rng.random() < 0.2:
        step = _log_uniform(rng, 0.1, 2)
        signal = step * np.round(signal / step)
        words += f", predictions in steps of {step:.2f}"
    return _population("numbers", frame, words, truth=truth, guess=signal)


def _positive_numbers(rng: Rng) -> Population:
    """Positive targets and means predicted for them: gamma, counts, or lognormal about the mean."""
    frame = _frame(rng)
    mean = np.exp(rng.uniform(0.2, 1.2) * rng.standard_normal(frame.size) + rng.uniform(-1, 3))
    law = str(rng.choice(["gamma", "lognormal", "counts"]))
    shape = _log_uniform(rng, 0.5, 20)
    relative = np.exp(frame.shared / np.sqrt(shape)) if law == "lognormal" else rng.gamma(shape, 1 / shape, frame.size)
    truth = np.asarray(rng.poisson(mean * relative) + 1.0 if law == "counts" else mean * relative, dtype=np.float64)
    words = f"{law} targets of shape {shape:.1f}"
    if rng.random() < 0.2:
        step = _log_uniform(rng, 0.3, 3)
        mean = step * np.ceil(mean / step)
        words += f", predictions in steps of {step:.2f}"
    return _population("positive numbers", frame, words, truth=np.maximum(truth, 1e-9), guess=mean)


def _clusters(rng: Rng) -> Population:
    """Two clusterings that agree much, little or not at all."""
    frame = _frame(rng, plain=True)
    rows, columns = (int(rng.integers(2, 15)) for _ in range(2))
    truth = rng.choice(rows, size=frame.size, p=rng.dirichlet(np.full(rows, 2.0)))
    table = rng.dirichlet(np.full(columns, 1.0), size=rows)
    own = rng.random(frame.size) < rng.uniform(0, 1)
    drawn = (rng.random(frame.size)[:, None] > np.cumsum(table[truth], axis=1)[:, :-1]).sum(axis=1)
    words = f"{rows} x {columns} clusters, {own.mean():.2f} put together"
    return _population("clusters", frame, words, truth=truth, guess=np.where(own, truth % columns, drawn))


def _values(rng: Rng) -> Population:
    """One value per unit between 0 and 1, with any share of zeros and ones, continuous or on a grid."""
    frame = _frame(rng, plain=True)
    zero, one = rng.dirichlet([0.5, 0.5, 1.0])[:2]
    a, b = (_log_uniform(rng, 0.3, 8) for _ in range(2))
    values = rng.beta(a, b, frame.size)
    words = f"0: {zero:.3f}, 1: {one:.3f}, otherwise beta({a:.1f}, {b:.1f})"
    if rng.random() < 0.3:
        steps = int(rng.choice([1, 2, 5, 10]))
        values[:] = np.round(values * steps) / steps
        words += f" on a grid of {steps}"
    u = rng.random(frame.size)
    return _population("values", frame, words, value=np.where(u < zero, 0.0, np.where(u < zero + one, 1.0, values)))


def _seconds(rng: Rng) -> Population:
    """Response times: lognormal, with slow ones among them or a heavy tail."""
    frame = _frame(rng, plain=True)
    spread, law = rng.uniform(0.2, 1.2), str(rng.choice(["lognormal", "slow ones", "pareto"]))
    values = np.exp(spread * rng.standard_normal(frame.size))
    if law == "slow ones":
        values *= np.where(rng.random(frame.size) < 0.03, 10, 1)
    if law == "pareto":
        values = (1 - rng.random(frame.size)) ** (-1 / rng.uniform(2.2, 5))
    return _population("seconds", frame, f"{law}, log sd {spread:.1f}", value=values)


def _multilabel(rng: Rng) -> Population:
    """Several labels per sample, with scores and predictions of them."""
    frame = _frame(rng, most=1000)
    labels = int(rng.integers(2, 9))
    common = frame.shared[:, None]
    hidden = 0.5 * common + rng.standard_normal((frame.size, labels))
    shares = rng.uniform(max(0.05, RAREST / frame.rows), 0.6, labels)
    truth = _greatest(hidden, shares)
    score = rng.uniform(0.3, 3) * truth + rng.standard_normal((frame.size, labels)) + 0.4 * common
    guess = _greatest(score, shares)
    words = f"{labels} labels of {shares.min():.2f} to {shares.max():.2f}"
    return _population(
        "multilabel", frame, words, truth=truth.astype(int), guess=guess.astype(int), score=np.round(score, 3)
    )


def _greatest(values: Floats, shares: Floats) -> NDArray[np.bool_]:
    """The given share of greatest values in each column."""
    cuts = [np.quantile(column, 1 - share) for column, share in zip(values.T, shares, strict=True)]
    return values > np.array(cuts)


def _queries(rng: Rng) -> Population:
    """Ranked lists: few or many relevant documents of one or several grades, easy and hard queries."""
    frame = _frame(rng, most=1000, plain=True)
    depth, most = int(rng.integers(5, 40)), int(rng.choice([1, 1, 3, 10]))
    easy = rng.beta(_log_uniform(rng, 0.3, 5), _log_uniform(rng, 0.3, 5), QUERIES)
    relevant = rng.integers(1, most + 1, QUERIES)
    rank = rng.geometric(np.clip(0.05 + 0.9 * easy[:, None], 0, 1), (QUERIES, most))
    rank[np.arange(most) >= relevant[:, None]] = 0
    grades = np.zeros((QUERIES, depth), dtype=np.int64)
    for column in range(most):
        position = rank[:, column] + column
        inside = np.flatnonzero((rank[:, column] > 0) & (position <= depth))
        grades[inside, position[inside] - 1] = rng.integers(1, int(rng.choice([2, 4])), len(inside))
    words = f"{depth} documents, up to {most} relevant"
    return _population("queries", frame, words, grades=grades, relevant=relevant)


KINDS: dict[str, Callable[[Rng], Population]] = {
    "scores": _scores,
    "probabilities": _probabilities,
    "labels": _labels,
    "numbers": _numbers,
    "positive numbers": _positive_numbers,
    "clusters": _clusters,
    "values": _values,
    "seconds": _seconds,
    "multilabel": _multilabel,
    "queries": _queries,
}
