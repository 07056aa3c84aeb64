"""The confusion matrix as a picture."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.plot.canvas import color_scale, fit, hide_spines, new_axes, printable_name, shrunk
from certus.statistic.common import plural

if TYPE_CHECKING:
    from certus.tasks.classification.confusion import ConfusionMatrix


_SHARES = {"true": "share of the true class", "pred": "share of the predicted class", "all": "share of all samples"}
_MAX_WITH_INTERVALS = 6
_MAX_WITH_NUMBERS = 20


def confusion_matrix(
    matrix: "ConfusionMatrix",
    ax: Any = None,
    *,
    level: float = 0.95,
    interval: bool | None = None,
    colormap: str = "Blues",
    colorbar: bool = True,
) -> Any:
    """Draw a confusion matrix: each cell's count, its share and the share's interval; the color is the share.

    Shares are of the true class, unless the matrix is normalized otherwise.
    """
    size = len(matrix.classes)
    side = float(np.clip(1.9 + 0.85 * size, 4.0, 11.0)) if size <= _MAX_WITH_NUMBERS else 8.5
    longest = max((len(str(label)) for label in matrix.classes), default=0)
    # Room for the names and the scale of colors beside the square.
    ax = new_axes(ax, (side + 1.0 + 0.06 * min(longest, 40), side))
    kind = matrix.normalize or "true"
    shares = replace(matrix, normalize=kind)
    values = shares.values
    image = ax.imshow(values, cmap=colormap, vmin=0, vmax=1, aspect="equal")
    limits = None
    if size <= _MAX_WITH_NUMBERS:
        if size <= _MAX_WITH_INTERVALS if interval is None else interval:
            limits = shares.interval(level)
        _print(ax, matrix.counts, values, limits, image)
    names = [printable_name(str(label)) for label in matrix.classes]
    long = max(map(len, names), default=0) * size > 8 * side
    ax.set_xticks(
        range(size), names, rotation=45 if long else 0, ha="right" if long else "center", rotation_mode="anchor"
    )
    ax.set_yticks(range(size), names)
    ax.set(xlabel="Predicted class", ylabel="True class")
    ax.tick_params(length=0)
    fit(ax)
    hide_spines(ax, "left", "right", "top", "bottom")
    if colorbar:
        color_scale(ax, image, _SHARES[kind][0].upper() + _SHARES[kind][1:], 10, shrink=0.82)
    if limits is not None:
        samples = plural(int(matrix.counts.sum()), "sample")
        title = f"Count, {_SHARES[kind]} and its {100 * level:g}% interval, {samples}"
        ax.set_title(title, fontsize=shrunk(ax, 9), loc="left", wrap=True)
    return ax


def _print(ax: Any, counts: Any, values: Any, limits: Any, image: Any) -> None:
    is_count = counts.dtype.kind in "iu"
    for row, column in np.ndindex(*counts.shape):
        count, share = counts[row, column], values[row, column]
        lines = [f"{count:,}" if is_count else f"{count:.4g}"]
        if limits is not None and not np.isnan(share):
            low, high = (100 * bounds[row, column] for bounds in limits)
            lines += [f"{100 * share:.1f}%", f"[{low:.1f}, {high:.1f}]"]
        red, green, blue, _ = image.cmap(image.norm(0.0 if np.isnan(share) else share))
        color = "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.5 else "black"
        size = shrunk(ax, 9 if counts.shape[0] <= 10 else 7)
        ax.text(column, row, "\n".join(lines), ha="center", va="center", color=color, fontsize=size)
