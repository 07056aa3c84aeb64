"""Jobs on a binary truth and a score per sample, by certus and by its peers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars
from numpy.typing import NDArray
from sklearn import metrics as sklearn

from certus import classification as certus
from certus import evaluate
from certus.data import Scores
from certus.statistic import Influence
from contest import Case, agreed

__all__ = ["jobs"]

Floats = NDArray[np.float64]
REPLICATES = 1000


def jobs(scale: float = 1.0) -> list[Case]:
    """The jobs, with `scale` times the samples they are meant for."""
    return [*_large(round(1e7 * scale)), *_bootstrap(round(1e5 * scale)), *_small(), *_groups(round(1e4 * scale))]


def _data(n: int) -> tuple[NDArray[np.bool_], Floats]:
    rng = np.random.default_rng(17)
    truth = rng.random(n) < 0.5
    return truth, rng.normal(size=n) + truth


def _large(n: int) -> list[Case]:
    truth, score = _data(n)
    single = score.astype(np.float32)
    weights = np.random.default_rng(18).random(n)
    size = f"n = {n:.0e}".replace("e+0", "e")

    def area() -> tuple[float, float]:
        estimate = certus.roc_auc(truth, score)
        return estimate.value, estimate.interval().low

    def case(
        name: str, ours: Callable[[], Any], theirs: Callable[[], Any], faster: float | None = None, **more: Any
    ) -> Case:
        return Case(f"{name}, {size}", ours, "scikit-learn", theirs, more.pop("agree", _close), faster, **more)

    def points(ours: Any, theirs: Any) -> str:
        for our, their in zip(ours, theirs, strict=True):
            agreed(np.allclose(our, their, rtol=0, atol=1e-12), "a point differs")
        return f"{len(theirs[0]):,} points alike"

    return [
        Case(
            f"AUC with its interval, {size}",
            area,
            "np.sort of the scores",
            lambda: np.sort(score),
            lambda ours, _: _close(ours[0], sklearn.roc_auc_score(truth, score)),
            faster=0.4,
            memory=2 * score.nbytes,
        ),
        case("AUC with its interval", area, lambda: (sklearn.roc_auc_score(truth, score), 0.0), agree=_first),
        case(
            "AUC of float32",
            lambda: certus.roc_auc(truth, single).value,
            lambda: sklearn.roc_auc_score(truth, single),
        ),
        case(
            "AP with its interval",
            lambda: _limits(certus.average_precision(truth, score)),
            lambda: (sklearn.average_precision_score(truth, score), 0.0),
            10,
            agree=_first,
        ),
        case(
            "weighted AUC with its interval",
            lambda: _limits(certus.roc_auc(truth, score, sample_weight=weights)),
            lambda: (sklearn.roc_auc_score(truth, score, sample_weight=weights), 0.0),
            10,
            agree=_first,
        ),
        case(
            "ROC curve, every point",
            lambda: tuple(certus.roc_curve(truth, score)),
            lambda: sklearn.roc_curve(truth, score, drop_intermediate=False),
            10,
            agree=points,
        ),
        case(
            "precision-recall curve, every point",
            lambda: tuple(certus.precision_recall_curve(truth, score)),
            lambda: sklearn.precision_recall_curve(truth, score),
            10,
            agree=points,
        ),
    ]


def _bootstrap(n: int) -> list[Case]:
    truth, score = _data(n)
    draws = np.random.default_rng(19)
    done = 20

    def replicates(metric: Any) -> Floats:
        statistic = metric.compute(Scores.from_arrays(truth, score))
        if not isinstance(statistic, Influence) or statistic.resample is None:
            raise TypeError(f"{metric} cannot be resampled")
        return statistic.resample(REPLICATES, 1, False)

    def by_resampling(metric: Callable[[Any, Any], float]) -> list[float]:
        samples = (draws.integers(0, n, n) for _ in range(done))
        return [metric(truth[drawn], score[drawn]) for drawn in samples]

    def alike(ours: Any, theirs: Any) -> str:
        error = float(np.std(ours))
        apart = float(abs(np.mean(ours) - np.mean(theirs))) / error
        agreed(apart < 4 / done**0.5, f"the means are {apart:.1f} standard errors of a replicate apart")
        return f"means {apart:.1f} standard errors of a replicate apart"

    return [
        Case(
            f"{REPLICATES} bootstrap replicates of {name}, n = {n:,}",
            lambda metric=ours: replicates(metric),  # type: ignore[misc]
            f"scikit-learn, {done} replicates timed",
            lambda metric=theirs: by_resampling(metric),  # type: ignore[misc]
            alike,
            faster=faster,
            share=done / REPLICATES,
        )
        # 0.4 s, where scikit-learn takes 27 s and 18 s.
        for name, ours, theirs, faster in (
            ("AUC", certus.roc_auc, sklearn.roc_auc_score, 67.5),
            ("AP", certus.average_precision, sklearn.average_precision_score, 45),
        )
    ]


def _small() -> list[Case]:
    truth, score = _data(100)
    integers = truth.astype(np.int64)
    return [
        Case(
            f"{name} of 100 samples, value only",
            lambda metric=ours: metric(integers, score).value,  # type: ignore[misc]
            "scikit-learn",
            lambda metric=theirs: metric(integers, score),  # type: ignore[misc]
            _close,
            faster,
            calls=2000,
        )
        for name, ours, theirs, faster in (
            ("AUC", certus.roc_auc, sklearn.roc_auc_score, 10),
            ("AP", certus.average_precision, sklearn.average_precision_score, None),
        )
    ]


def _groups(groups: int) -> list[Case]:
    """Many small groups: rows with limits for each, and the same as a frame."""
    size = 100
    truth, score = _data(groups * size)
    by = np.repeat(np.arange(groups), size)

    def table() -> Any:
        return evaluate(truth, y_score=score, metrics="AUC", task="classification", by=by)

    def ours() -> list[float]:
        return [row.value for row in table().rows if row.group is not None]

    def theirs() -> list[float]:
        rows = zip(truth.reshape(-1, size), score.reshape(-1, size), strict=True)
        return [float(sklearn.roc_auc_score(y, s)) for y, s in rows]

    def same(ours: list[float], theirs: list[float]) -> str:
        # Groups stand in the order of their numbers.
        agreed(np.allclose(ours, theirs, rtol=0, atol=1e-12), "the area of a group differs")
        return f"{groups:,} areas alike"

    def frame() -> Any:
        return table().to_polars()

    def by_hand() -> Any:
        """The area with the standard error of DeLong, and limits of the normal distribution."""
        first = polars.DataFrame({"group": by, "positive": truth, "score": score}).with_columns(
            rank=polars.col("score").rank().over("group"),
            own=polars.col("score").rank().over("group", "positive"),
        )
        passed, of = polars.col("rank") - polars.col("own"), polars.col("positive")
        summed = first.group_by("group").agg(
            m=of.sum(),
            n=(~of).sum(),
            won=passed.filter(of).sum(),
            a=passed.filter(of).var(),
            b=passed.filter(~of).var(),
        )
        m, n = polars.col("m").cast(float), polars.col("n").cast(float)
        made = summed.with_columns(
            value=polars.col("won") / (m * n),
            error=(polars.col("a") / n**2 / m + polars.col("b") / m**2 / n).sqrt(),
        )
        reach = 1.959964 * polars.col("error")
        return made.with_columns(low=polars.col("value") - reach, high=polars.col("value") + reach).sort("group")

    def alike(ours: Any, theirs: Any) -> str:
        areas = ours.filter(polars.col("group").is_not_null())["value"].to_list()
        errors = [area(truth[by == group], score[by == group]) for group in range(3)]
        agreed(np.allclose(errors, theirs["error"][:3].to_list(), rtol=1e-9), "a standard error differs")
        return same(areas, theirs["value"].to_list())

    def area(y: Any, s: Any) -> float:
        return certus.roc_auc(y, s).standard_error

    name = f"AUC with its interval of {groups:,} groups of {size}"
    return [
        Case(name, ours, "scikit-learn", theirs, same),
        Case(f"{name}, as a frame", frame, "polars by hand", by_hand, alike),
    ]


def _limits(estimate: Any) -> tuple[float, float]:
    return estimate.value, estimate.interval().low


def _close(ours: float, theirs: float) -> str:
    agreed(abs(ours - theirs) < 1e-12, f"{ours} is not {theirs}")
    return f"within {abs(ours - theirs):.0e}" if ours != theirs else "same"


def _first(ours: tuple[float, float], theirs: tuple[float, float]) -> str:
    return _close(ours[0], theirs[0])
