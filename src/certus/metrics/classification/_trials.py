"""Shares of the cells of classes as successes among independent trials, where they are such."""

from certus.data import Labels
from certus.metrics.classification.smooth import Four, Share, cell_sum
from certus.statistic import Proportion
from certus.statistic.common import Bounds


def proportions(share: Share, four: Four) -> list[Proportion] | None:
    """The share of each class as successes among independent trials, where it is one."""
    tp, fp, fn, _ = four
    if share.dice:
        above, below = tp, tp + fp + fn
    elif {*share.above, *share.below} <= {0, 1}:
        above, below = (cell_sum(line, four) for line in (share.above, share.below))
    else:
        return None
    counts = zip(above.tolist(), below.tolist(), strict=True)
    return [Proportion(*each, share.trial, "dice" if share.dice else "linear") for each in counts]


def micro_proportion(data: Labels, share: Share) -> Proportion | None:
    """The share of the summed cells, where no sample enters it more than once.

    A sample enters the cells of several classes. What it adds above and below the line depends on whether its true and
    its predicted class are among those averaged; each kind of sample that there is must add nothing or one trial.
    """
    chosen = len(data.selected)
    cells = [
        (1, 0, 0, chosen - 1),
        (0, 1, 1, chosen - 2),
        (0, 0, 1, chosen - 1),
        (0, 1, 0, chosen - 1),
        (0, 0, 0, chosen),
    ]
    kinds = zip(cells, data.kinds(), strict=True)
    added = [(_dot(share.above, kind), _dot(share.below, kind), number) for kind, number in kinds if number]
    trial = max((below for _, below, _ in added), default=0.0)
    if trial == 0 or any(below not in (0, trial) or above not in (0, below) for above, below, _ in added):
        return None
    successes = sum(number for above, _, number in added if above)
    trials = sum(number for _, below, number in added if below)
    return Proportion(successes, trials, "sample" if trials == data.n else share.trial)


def micro_bounds(data: Labels, share: Share) -> Bounds | None:
    """The share of the summed cells where all samples are wrong, and where all are right; None where some have neither.

    Of K classes a sample that is wrong is still a true negative of K - 2 of them.
    """
    classes = len(data.classes)
    if share.dice or not data.whole or classes < 2:
        return None
    kinds = (1, 0, 0, classes - 1), (0, 1, 1, classes - 2)
    parts = [(_dot(share.above, kind), _dot(share.below, kind)) for kind in kinds]
    if not all(below for _, below in parts):
        return None
    least, greatest = sorted(above / below for above, below in parts)
    return least, greatest


def _dot(times: tuple[float, ...], kind: tuple[int, ...]) -> float:
    return float(sum(factor * count for factor, count in zip(times, kind, strict=True)))
