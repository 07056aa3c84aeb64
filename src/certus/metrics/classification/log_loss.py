"""Log loss."""

from typing import Annotated, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.data import Probabilities
from certus.metrics._check import Between
from certus.metrics._declare import metric
from certus.metrics.classification._samples import per_sample
from certus.statistic import Mean, Ratio, counted

__all__ = ["Clip", "log_loss", "surprise"]

FEW = 5
"""With fewer samples of one of two classes an interval says that it may not hold: those of a rare class cost most."""
Clip: TypeAlias = Annotated[float | None, Between(above=0, below=0.5)] | Literal["auto"]


@metric(
    "LogLoss",
    aliases=("log_loss", "cross_entropy"),
    better="lower",
    bounds=(0.0, float("inf")),
    source="Good (1952), J. R. Stat. Soc. B 14(1):107-114, doi:10.1111/j.2517-6161.1952.tb00104.x",
)
def log_loss(probabilities: Probabilities, *, clip: Clip = None, normalize: bool = True) -> Mean | Ratio:
    """How surprising the true classes are: minus the logarithm of the probability that each of them was given.

    ::

        log loss = mean over samples of -ln p(true class of the sample)

    The logarithm is natural, and the computation is in float64 whatever the type of the probabilities. For one
    probability p per sample that of the other class is 1 - p without rounding (``-log1p(-p)``). A true class that was
    given probability 0 costs infinitely much, and then so does the mean: the loss says that the impossible happened.
    scikit-learn never gives more than 36 (16 for float32) for a sample; ``clip="auto"`` does as it does.

    Parameters
    ----------
    clip
        None: nothing is clipped. A number c in (0, 1/2): the probability of the true class is moved into [c, 1 - c], as
        if no prediction were more certain. ``"auto"``: c is the machine epsilon of the probabilities' type, 2.2e-16 for
        float64 and 1.2e-7 for float32, as scikit-learn 1.3 and later clip.
    normalize
        True: the mean over samples. False: the sum.

    Returns
    -------
    Mean or Ratio
        One loss per sample, 0 or more; a Ratio where samples have weights or groups.

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
    return per_sample(
        surprise(probabilities, clip), probabilities, normalize=normalize, caution=_caution(probabilities)
    )


def _caution(probabilities: Probabilities) -> str:
    """That the samples whose loss is large are too few to show how large it is on average."""
    if len(probabilities.classes) != 2:
        return ""
    counts = np.bincount(probabilities.true, minlength=2)
    rarer = int(counts.argmin())
    if counts[rarer] >= FEW:
        return ""
    found = counted(int(counts[rarer]), "sample")
    return f"may cover less than its level: {found} of class {probabilities.classes[rarer]!s}"


def surprise(probabilities: Probabilities, clip: Clip = None) -> NDArray[np.float64]:
    """``-ln p`` of each sample's true class, p being kept from 0 and 1 as `clip` says."""
    given, true = probabilities.scores, probabilities.true
    logs: NDArray[np.float64]
    with np.errstate(divide="ignore"):
        if given.ndim == 2:
            chosen = np.take_along_axis(given, true[:, np.newaxis], axis=1)[:, 0]
            logs = np.log(chosen, dtype=np.float64)
        else:
            logs = np.log1p(np.negative(given, dtype=np.float64))
            np.log(given, out=logs, where=probabilities.hits, dtype=np.float64)
    # 0 - x rather than -x: certainty that came true costs 0, not -0.
    losses = np.subtract(0.0, logs, out=logs)
    if clip is not None:
        least = float(np.finfo(given.dtype).eps) if isinstance(clip, str) else clip
        np.clip(losses, -np.log1p(-least), -np.log(least), out=losses)
    return losses
