"""Losses of probabilities and scores: one value per sample."""

import math
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats, product
from certus.data import ClassScores, Probabilities
from certus.metrics.check import Range
from certus.metrics.classification.per_sample import per_sample, sample_ratio
from certus.metrics.declaration import metric
from certus.metrics.spellings import SCIKIT_LEARN
from certus.metrics.state_kinds import SampleSums
from certus.statistic import Mean, Ratio
from certus.statistic.cached import constant
from certus.statistic.common import mean_of, plural, sum_by_code
from certus.statistic.mean import MeanByMoments
from certus.statistic.moments import Moments

MIN_SAMPLES = 5
"""With fewer samples of one of two classes an interval says that it may not hold: those of a rare class cost most."""
MIN_GROUPS = 25
"""The same of groups, for D2; see docs/coverage-hunt.md."""
Clip: TypeAlias = Annotated[float | None, Range(greater_than=0, less_than=0.5)] | Literal["auto"]


@metric(
    "Brier",
    aliases=("brier_score",),
    spellings=SCIKIT_LEARN("brier_score_loss", "neg_brier_score"),
    better="lower",
    bounds=(0.0, 2.0),
    source="Brier (1950), Mon. Weather Rev. 78(1):1-3, doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2",
    state=SampleSums(),
)
def brier(probabilities: Probabilities, *, scale_by_half: bool | Literal["auto"] = "auto") -> Mean | Ratio:
    """Mean squared distance between the probabilities and what happened.

    ``Brier = mean over samples of  sum over classes c of (p(c) - [c is the true class])^2``. That is Brier's own
    definition, from 0 to 2. For two classes each sample counts both of them, twice the same, so there it is customary
    to halve it, which gives ``(p - y)^2`` for the probability p of the positive class.

    Parameters
    ----------
    scale_by_half
        ``"auto"``: halved for two classes, Brier's own for more, as in scikit-learn. True: halved, from 0 to 1. False:
        Brier's own, from 0 to 2.

    Examples
    --------
    The squared errors are 1/16 and 9/16.

    >>> import certus
    >>> certus.classification.brier([1, 1], [0.75, 0.25]).value
    0.3125
    >>> certus.classification.brier([1, 1], [0.75, 0.25], scale_by_half=False).value
    0.625
    """
    squares = squared_distance(probabilities)
    two = probabilities.scores.ndim == 1 or probabilities.scores.shape[1] <= 2
    halved = scale_by_half is True or (scale_by_half == "auto" and two)
    if halved:
        squares *= 0.5
    bounds = (0.0, 1.0) if halved else None
    if probabilities.weights is not None or probabilities.groups is not None:
        return per_sample(squares, probabilities, bounds=bounds)
    n, greatest = len(squares), 1.0 if halved else 2.0
    n_at_bounds = n - int(np.count_nonzero(squares)), int(np.count_nonzero(squares == greatest))
    value = mean_of(squares) if n else math.nan
    return MeanByMoments(
        value, n, constant(squares), bounds=bounds, moments=partial(kernels.moments_of, squares), ends=n_at_bounds
    )


def squared_distance(probabilities: Probabilities) -> NDArray[np.float64]:
    """Sum over all classes for each sample, Brier's own scale."""
    scores, true = probabilities.scores, probabilities.true
    if scores.ndim == 1:
        errors: NDArray[np.float64] = np.subtract(scores, probabilities.hits, dtype=np.float64)
        np.square(errors, out=errors)
        errors *= 2
        return errors
    errors = scores.astype(np.float64)
    errors[np.arange(len(true)), true] -= 1
    squares: NDArray[np.float64] = np.einsum("nc,nc->n", errors, errors)
    return squares


@metric(
    "LogLoss",
    words=("logistic regression loss", "cross entropy loss", "对数损失"),
    aliases=("cross_entropy",),
    spellings=SCIKIT_LEARN("log_loss", "neg_log_loss"),
    better="lower",
    bounds=(0.0, float("inf")),
    source="Good (1952), J. R. Stat. Soc. B 14(1):107-114, doi:10.1111/j.2517-6161.1952.tb00104.x",
    state=SampleSums(
        quick=lambda codes, scores, conventions: surprise(
            Probabilities((0, 1), codes, scores, 1, None, None), conventions["clip"]
        )
    ),
)
def log_loss(probabilities: Probabilities, *, clip: Clip = None, normalize: bool = True) -> Mean | Ratio:
    """Surprise at the true classes: minus the logarithm of the probability that each of them was given.

    ``log loss = mean over samples of -ln p(true class of the sample)``. The logarithm is natural, and the computation
    is in float64 whatever the type of the probabilities. For one probability p per sample that of the other class is 1
    - p without rounding (``-log1p(-p)``). A true class that was given probability 0 costs infinitely much, and then so
    does the mean: the loss says that the impossible happened. scikit-learn never gives more than 36 (16 for float32)
    for a sample; ``clip="auto"`` does as it does.

    Parameters
    ----------
    clip
        None: nothing is clipped. A number c in (0, 1/2): the probability of the true class is moved into [c, 1 - c], as
        if no prediction were more certain. ``"auto"``: c is the machine epsilon of the probabilities' type, 2.2e-16 for
        float64 and 1.2e-7 for float32, as scikit-learn 1.3 and later clip.
    normalize
        True: the mean over samples. False: the sum.

    Examples
    --------
    The classes that came true had probabilities 1/2 and 1/8: ln 2 and 3 ln 2, on average 2 ln 2.

    >>> import certus
    >>> round(certus.classification.log_loss([1, 0], [0.5, 0.875]).value, 4)
    1.3863
    >>> certus.classification.log_loss([1, 0], [0.0, 0.5]).value
    inf
    >>> round(certus.classification.log_loss([1, 0], [0.0, 0.5], clip=0.25).value, 4)
    1.0397
    """
    caution = _caution(probabilities)
    if not normalize or probabilities.weights is not None or probabilities.groups is not None:
        return per_sample(surprise(probabilities, clip), probabilities, normalize=normalize, caution=caution)
    chosen, hits = _chosen_probabilities(probabilities)
    (lowest, highest), n = _limits(chosen, clip), len(chosen)
    total, moments = kernels.log_loss(chosen, hits, least=lowest, greatest=highest)
    loss_moments = Moments(*moments)
    value = float(np.clip(total / n, loss_moments.least, loss_moments.greatest)) if n else math.nan
    return MeanByMoments(
        value, n, partial(surprise, probabilities, clip), moments=constant(loss_moments), caution=caution
    )


def _caution(probabilities: Probabilities) -> str:
    """The caution that too few samples have a large loss to estimate its mean."""
    if len(probabilities.classes) != 2:
        return ""
    second = int(np.count_nonzero(probabilities.true))
    counts = len(probabilities.true) - second, second
    rarer = counts.index(min(counts))
    if counts[rarer] >= MIN_SAMPLES:
        return ""
    size = plural(counts[rarer], "sample")
    return f"the interval may be too short: only {size} of class {probabilities.classes[rarer]!s}"


def surprise(probabilities: Probabilities, clip: Clip = None) -> NDArray[np.float64]:
    """``-ln p`` of each sample's true class, p being kept from 0 and 1 as `clip` says."""
    chosen, hits = _chosen_probabilities(probabilities)
    lowest, highest = _limits(chosen, clip)
    return kernels.log_losses(chosen, hits, least=lowest, greatest=highest)


def _chosen_probabilities(data: Probabilities) -> tuple[NDArray[np.floating[Any]], NDArray[np.bool_]]:
    """One probability of each sample, and whether it belongs to the true class."""
    if data.scores.ndim == 1:
        return np.ascontiguousarray(data.scores), data.hits
    chosen = np.take_along_axis(data.scores, data.true[:, np.newaxis], axis=1)[:, 0]
    return np.ascontiguousarray(chosen), np.ones(len(chosen), dtype=np.bool_)


def _limits(chosen: NDArray[np.floating[Any]], clip: Clip) -> tuple[float, float]:
    """The least and the greatest loss of a sample."""
    if clip is None:
        return 0.0, math.inf
    epsilon = float(np.finfo(chosen.dtype).eps) if isinstance(clip, str) else clip
    return -math.log1p(-epsilon), -math.log(epsilon)


@metric(
    "D2LogLoss",
    spellings=SCIKIT_LEARN("d2_log_loss_score"),
    bounds=(-float("inf"), 1.0),
    source="McFadden (1974), in Zarembka (ed.), Frontiers in Econometrics:105-142, equation 30",
)
def d2_log_loss(probabilities: Probabilities, *, clip: Clip = None) -> Ratio:
    """Part of the log loss that is saved against predicting the share of each class for every sample.

    ``D2 = 1 - log loss / log loss of the class shares``. 1 is perfect, 0 no better than knowing only how frequent the
    classes are, and it may be negative. For a single class there is nothing to save: it is undefined. It is known as
    McFadden's pseudo-R^2 too.

    Parameters
    ----------
    clip
        As for `log_loss`; the loss of the class shares needs none.

    Examples
    --------
    Both classes have share 1/2 and so a loss of ln 2; the predictions 1/2 and 1 lose ln 2 and 0.

    >>> import certus
    >>> certus.classification.d2_log_loss([1, 0], [0.5, 0.0]).value
    0.5
    """
    shares = _class_shares(probabilities)
    with np.errstate(divide="ignore"):
        without = 0.0 - np.log(shares)[probabilities.true]
    saved = without - surprise(probabilities, clip)
    return sample_ratio(saved, without, probabilities, caution=_caution_of_groups(probabilities))


def _caution_of_groups(probabilities: Probabilities) -> str:
    """The caution that too few groups have the rarer class, or that few have most of it."""
    if probabilities.groups is None or len(probabilities.classes) != 2:
        return ""
    counts = [np.bincount(probabilities.groups[probabilities.true == label]).astype(np.float64) for label in (0, 1)]
    having = [float(k.sum()) ** 2 / (float(product(k, k)) or 1.0) for k in counts]
    rarer = having.index(min(having))
    if having[rarer] >= MIN_GROUPS:
        return ""
    groups = int(np.count_nonzero(counts[rarer]))
    size = plural(groups, "group")
    unequal = "" if groups < MIN_GROUPS else f", worth {having[rarer]:.0f} equal ones,"
    return f"the interval may be too short: only {size}{unequal} with samples of class {probabilities.classes[rarer]!s}"


@metric(
    "D2Brier",
    aliases=("brier_skill_score",),
    spellings=SCIKIT_LEARN("d2_brier_score"),
    bounds=(-float("inf"), 1.0),
    source="Murphy (1973), J. Appl. Meteorol. 12(1):215-223, doi:10.1175/1520-0450(1973)012<0215:HASSFP>2.0.CO;2",
)
def d2_brier(probabilities: Probabilities) -> Ratio:
    """Part of the Brier score that is saved against predicting the share of each class for every sample.

    ``D2 = 1 - Brier / Brier of the class shares``. 1 is perfect, 0 no better than knowing only how frequent the classes
    are, and it may be negative. For a single class there is nothing to save: it is undefined. It is the Brier skill
    score with the sample's own shares as reference.

    Examples
    --------
    Both classes have share 1/2 and so an error of 1/4; the predictions 1/2 and 1 have 1/4 and 0.

    >>> import certus
    >>> certus.classification.d2_brier([1, 0], [0.5, 0.0]).value
    0.5
    """
    shares = _class_shares(probabilities)
    without = _squares_of_shares(probabilities, shares)[probabilities.true]
    saved = without - squared_distance(probabilities)
    return sample_ratio(saved, without, probabilities, caution=_caution_of_groups(probabilities))


def _squares_of_shares(data: Probabilities, shares: Floats) -> Floats:
    """Loss of a sample of each class if the shares are predicted: by the same steps as any other prediction."""
    classes = np.arange(len(data.classes))
    if data.scores.ndim == 2:
        rows = np.tile(shares, (len(classes), 1))
    else:
        rows = np.full(len(classes), 0.0 if data.positive is None else shares[data.positive])
    return squared_distance(replace(data, true=classes, scores=rows, weights=None, groups=None))


def _class_shares(data: Probabilities) -> Floats:
    """The share of each class in the weight of the samples."""
    mass = sum_by_code(data.true, data.mass, len(data.classes))
    return mass / mass.sum() if len(data) else mass


@metric(
    "Hinge",
    words=("铰链损失",),
    spellings=SCIKIT_LEARN("hinge_loss"),
    better="lower",
    bounds=(0.0, float("inf")),
    source="Crammer & Singer (2001), JMLR 2:265-292; Weston & Watkins (1999), ESANN 1999:219-224",
    state=SampleSums(),
)
def hinge_loss(
    scores: ClassScores, *, multiclass: Literal["crammer-singer", "weston-watkins"] = "crammer-singer"
) -> Mean | Ratio:
    """Mean amount by which the true class's lead over the others falls short of a margin of 1.

    ::

        one score s per sample    max(0, 1 - s) for the positive class, max(0, 1 + s) for the other
        Crammer-Singer            max(0, 1 + greatest score of another class - score of the true class)
        Weston-Watkins            sum over the other classes of max(0, 1 + its score - score of the true class)

    The binary loss is not the multiclass one of two classes: with scores (-s, s) the lead is 2s. So a table of scores
    has the multiclass loss even if it has two columns. Weston and Watkins wrote a margin of 2, which halves the scores;
    a margin of 1 is what is used under their name today. A sample whose lead is the difference of two like infinities
    has no loss.

    Parameters
    ----------
    multiclass
        Which loss a table of scores has; the first is scikit-learn's.

    Examples
    --------
    The positive score 0.5 lacks 0.5; the negative one, -2, lacks nothing.

    >>> import certus
    >>> certus.classification.hinge_loss([1, -1], [0.5, -2.0]).value
    0.25

    The true class leads by 2 - 1.5 and by 2 - 1.25, so it lacks 0.5 and 0.25.

    >>> certus.classification.hinge_loss([2], [[1.5, 1.25, 2.0]], labels=[0, 1, 2]).value
    0.5
    >>> certus.classification.hinge_loss([2], [[1.5, 1.25, 2.0]], labels=[0, 1, 2], multiclass="weston-watkins").value
    0.75
    """
    values, true = scores.scores, scores.true
    if values.ndim == 1:
        lead = np.where(scores.hits, values, -values).astype(np.float64)
        return per_sample(np.maximum(1 - lead, 0.0), scores)
    rivals = values.astype(np.float64)
    here = np.arange(len(true)), true
    true_scores = rivals[here]
    rivals[here] = -np.inf
    with np.errstate(invalid="ignore"):
        if multiclass == "crammer-singer":
            lacks = np.maximum(1 + (rivals.max(axis=1) - true_scores), 0.0)
        else:
            lacks = np.maximum(1 + (rivals - true_scores[:, np.newaxis]), 0.0)
            lacks[here] = 0.0
            lacks = lacks.sum(axis=1)
    return per_sample(lacks, scores)
