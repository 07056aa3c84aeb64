"""Shares of the cells of classes as successes among independent trials, where they are such."""

from certus.data import Labels
from certus.metrics.classification.smooth import Four, Share, cell_sum
from certus.statistic import Proportion
from certus.statistic.common import Bounds


def proportions(share: Share, four: Four) -> list[Proportion] | None:
    """The share of each class as successes among independent trials, where it is one."""
    tp, fp, fn, _ = four
    if share.dice:
        numerators, denominators = tp, tp + fp + fn
    elif {*share.numerator, *share.denominator} <= {0, 1}:
        numerators, denominators = (cell_sum(line, four) for line in (share.numerator, share.denominator))
    else:
        return None
    counts = zip(numerators.tolist(), denominators.tolist(), strict=True)
    return [
        Proportion(successes, trials, share.trial, "dice" if share.dice else "linear") for successes, trials in counts
    ]


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
    cases = zip(cells, data.kinds(), strict=True)
    contributions = [
        (_dot(share.numerator, case), _dot(share.denominator, case), number) for case, number in cases if number
    ]
    trial = max((denominator for _, denominator, _ in contributions), default=0.0)
    if trial == 0 or any(
        denominator not in (0, trial) or numerator not in (0, denominator)
        for numerator, denominator, _ in contributions
    ):
        return None
    successes = sum(number for numerator, _, number in contributions if numerator)
    trials = sum(number for _, denominator, number in contributions if denominator)
    return Proportion(successes, trials, "sample" if trials == data.n else share.trial)


def micro_bounds(data: Labels, share: Share) -> Bounds | None:
    """The share of the summed cells where all samples are wrong, and where all are right; None where some have neither.

    Of K classes a sample that is wrong is still a true negative of K - 2 of them.
    """
    classes = len(data.classes)
    if share.dice or not data.whole or classes < 2:
        return None
    cases = (1, 0, 0, classes - 1), (0, 1, 1, classes - 2)
    parts = [(_dot(share.numerator, case), _dot(share.denominator, case)) for case in cases]
    if not all(denominator for _, denominator in parts):
        return None
    lowest, highest = sorted(numerator / denominator for numerator, denominator in parts)
    return lowest, highest


def _dot(times: tuple[float, ...], kind: tuple[int, ...]) -> float:
    return float(sum(factor * count for factor, count in zip(times, kind, strict=True)))
