"""The charts of a report page: static SVG in the letters and colors of the page, in its light or dark theme."""

import re
import warnings
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any

import numpy as np

from certus.core.arrays import Floats
from certus.plot.canvas import DASHES, shortened

WIDTHS = (1080, 740, 350)
"""Pixels across a chart on a desktop, a tablet and a phone."""
SQUARES = (528, 362)
"""Pixels across one of two charts that stand side by side; the smaller one on tablets and phones."""
_ROLES = ("text", "soft", "line", *(f"c{index}" for index in range(7)), "good", "bad", "tied", "same", "back")
_STAND_INS = {role: f"#fe00{index:02x}" for index, role in enumerate(_ROLES)}
"""Colors that matplotlib writes; the page's own replace them."""
_LETTER = 0.56
"""Width of a letter as a part of its height, on average."""
_POSITIONS = re.compile(r' (?:d|x|y|width|height|transform)="[^"]*"')
_NUMBER = re.compile(r"-?\d+\.\d+")
_DROPPED = re.compile(r'<metadata>.*?</metadata>|<style.*?</style>| transform="rotate\(-0 [^"]*"', re.S)


def forest(panels: Sequence[Any], width: int, salt: str) -> str:
    """Draw values or differences with their intervals: a panel for each metric, a line for each mark."""
    stacked, marks = width < 500, [mark for panel in panels for mark in panel.marks]
    has_verdicts = any(mark.verdict for mark in marks)
    step, size = ((56 if has_verdicts else 40) if stacked else 26, 12 if stacked else 13)
    letter = size * _LETTER
    left = 0 if stacked else min(max(len(mark.name) for mark in marks) * letter + 18, 0.34 * width)
    right = 0 if stacked else max(len(mark.text) + len(mark.verdict) + 1 for mark in marks) * letter + 18
    tops = [26 if panel.title else 4 for panel in panels]
    heights = [top + step * len(panel.marks) + 34 for top, panel in zip(tops, panels, strict=True)]
    figure = _figure(width, sum(heights))
    start = 0
    for panel, top, height in zip(panels, tops, heights, strict=True):
        _letters(figure, 0, start + 12, panel.title, size + 1, weight="bold")
        start, height = start + top, height - top
        ax = _axes(figure, (left, start, width - left - right, height - 34), size - 1, 4 if stacked else 6, has_y=False)
        ax.set(xlim=panel.limits, ylim=(len(panel.marks), 0))
        ax.grid(axis="x", color=_STAND_INS["line"], linewidth=1)
        if panel.margin is not None:
            ax.axvline(0, color=_STAND_INS["soft"], linewidth=1.2, dashes=(3, 3))
            if panel.margin:
                ax.axvspan(-panel.margin, panel.margin, color=_STAND_INS["soft"], alpha=0.14, linewidth=0)
        for index, mark in enumerate(panel.marks):
            style = {"color": _STAND_INS[mark.color], "gid": _gid(mark.systems)}
            row, y = index + (1 - 11 / step if stacked else 0.5), start + step * index
            if None not in (limits := (mark.low, mark.high)):
                ax.plot(limits, [row, row], linewidth=3, solid_capstyle="round", **style)
            dot = {"marker": "o", "markersize": 9, "markeredgecolor": _STAND_INS["back"], "linestyle": ""}
            ax.plot([mark.value], [row], **dot, **style)
            black = {"gid": style["gid"], "color": _STAND_INS["text"]}
            colored = style if mark.verdict else black
            if stacked:
                room = width - len(mark.verdict or mark.text) * letter
                _letters(figure, 0, y + 10, shortened(mark.name, max(int(room / letter) - 1, 8)), size, **black)
                if mark.verdict:
                    _letters(figure, 0, y + 26, mark.text, size, **black)
                _letters(figure, width, y + 10, mark.verdict or mark.text, size, ha="right", **colored)
            else:
                _letters(figure, 0, y + step / 2, shortened(mark.name, max(int(left / letter) - 1, 8)), size, **black)
                _letters(
                    figure, width - right + 18, y + step / 2, f"{mark.text} {mark.verdict}".rstrip(), size, **colored
                )
        start += height
    return _svg(figure, salt)


def square(curves: Sequence[Any], width: int, salt: str, *, x: str, y: str, chance: Sequence[Any]) -> str:
    """Draw lines over their bands in the unit square, with the line of chance."""
    left, bottom, size = 52, 46, 12.5
    side = width - left - 10
    figure = _figure(width, side + bottom + 10)
    ax = _axes(figure, (left, 10, side, side), size, nbins=6)
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.grid(color=_STAND_INS["line"], linewidth=1)
    ax.set(xlabel=x, ylabel=y)
    if len(chance):
        ax.plot(*chance, color=_STAND_INS["soft"], linewidth=1.2, dashes=(3, 3))
        ax.lines[-1].set_clip_on(False)
    for index, curve in enumerate(curves):
        color, gid = _STAND_INS[curve.color], _gid(curve.systems)
        line = _simplified(_steps(curve.line) if curve.steps else curve.line, side)
        if curve.area:
            outline = ([line[0][0], *line[0], line[0][-1]], [0, *line[1], 0])
            ax.fill(*outline, color=color, alpha=0.08, linewidth=0, gid=gid)
        if curve.band is not None:
            ax.fill(*_simplified(curve.band, side), color=color, alpha=0.18, linewidth=0, gid=gid)
        ax.plot(*line, color=color, linewidth=2, linestyle=DASHES[index % len(DASHES)], clip_on=False, gid=gid)
    return _svg(figure, salt, f' data-box="{left} 10 {side}"')


def bars(values: Sequence[float], width: int, salt: str, *, x: str, y: str) -> str:
    """Draw values or differences of units, the largest first, from 0 up and down; the axes have these names."""
    size, left, height = 12.5, 60, 240 if width > 500 else 200
    heights = np.sort(np.asarray(values, dtype=np.float64))[::-1]
    figure = _figure(width, height)
    ax = _axes(figure, (left, 8, width - left - 10, height - 54), size, nbins=6)
    edges = np.arange(len(heights) + 1)
    for role, is_drawn in (("good", heights > 0), ("bad", heights < 0)):
        if is_drawn.any():
            across, up = _steps((edges[:-1][is_drawn], heights[is_drawn]))
            across, up = np.append(across, across[-1] + 1), np.append(up, up[-1])
            scaled = _simplified((across / len(heights), up / np.abs(heights).max()), width - left)
            across, up = scaled[0] * len(heights), scaled[1] * np.abs(heights).max()
            color = _STAND_INS[role if heights[-1] < 0 else "c0"]
            ax.fill([across[0], *across, across[-1]], [0, *up, 0], color=color, alpha=0.75, linewidth=0)
    ax.axhline(0, color=_STAND_INS["soft"], linewidth=1)
    ax.grid(axis="y", color=_STAND_INS["line"], linewidth=1)
    ax.set_xlim(0, len(heights))
    ax.set(xlabel=x, ylabel=y)
    return _svg(figure, salt)


def _steps(line: Any) -> tuple[Floats, Floats]:
    """The corners of a line that keeps each y until the next x."""
    x, y = (np.repeat(np.asarray(values, dtype=np.float64), 2) for values in line)
    return x[1:], y[:-1]


def _simplified(line: Any, side: float) -> tuple[Floats, Floats]:
    """Return a line in the unit square with fewer points, at most a third of a pixel off where it has `side` pixels."""
    from matplotlib.path import Path

    path: Any = Path(np.column_stack(line).astype(np.float64) * side)
    path.should_simplify, path.simplify_threshold = True, 1 / 3
    short = path.cleaned(simplify=True)
    x_values, y_values = short.vertices[short.codes != Path.STOP].T / side
    return x_values, y_values


def _figure(width: float, height: float) -> Any:
    from matplotlib.figure import Figure

    # 72 dots per inch: one unit of the SVG is one pixel of the page
    return Figure(figsize=(width / 72, height / 72), dpi=72, frameon=False)


def _axes(figure: Any, box: tuple[float, float, float, float], size: float, nbins: int, has_y: bool = True) -> Any:
    """Axes without a frame at left, top, width and height in pixels."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    width, height = figure.get_size_inches() * 72
    left, top, across, down = box
    ax = figure.add_axes((left / width, 1 - (top + down) / height, across / width, down / height))
    ax.patch.set_visible(False)
    ax.spines[:].set_visible(False)
    ax.set_axisbelow(True)
    ax.tick_params(length=0, labelsize=size, labelcolor=_STAND_INS["soft"], pad=5)
    ax.set_yticks([])
    for axis in (ax.xaxis, ax.yaxis) if has_y else (ax.xaxis,):
        axis.label.set(fontsize=size, color=_STAND_INS["text"])
        axis.set_major_locator(MaxNLocator(nbins, steps=[1, 2, 5, 10], min_n_ticks=3))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.10g}".replace("-", "\N{MINUS SIGN}")))
    return ax


def _letters(figure: Any, x: float, y: float, text: str, size: float, **style: Any) -> None:
    width, height = figure.get_size_inches() * 72
    style = {"color": _STAND_INS["text"], "va": "center", "parse_math": False, **style}
    figure.text(x / width, 1 - y / height, text, fontsize=size, **style)


def _gid(systems: Sequence[int]) -> str:
    return "of-" + "-".join(map(str, systems))


def _svg(figure: Any, salt: str, attributes: str = "") -> str:
    """The figure as an element whose text is text, with the colors of the page; ASCII."""
    from matplotlib import rc_context

    file = StringIO()
    # letters that matplotlib's own font lacks are drawn by the browser
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": salt}), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        figure.savefig(file, format="svg", metadata={"Date": None})
    width, height = figure.get_size_inches() * 72
    head = f'<svg class="w{width:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" aria-hidden="true"{attributes}>'
    markup = _DROPPED.sub("", file.getvalue().partition("<svg")[2].partition(">")[2])
    return (head + "".join(_compact(markup))).encode("ascii", "xmlcharrefreplace").decode()


def _compact(markup: str) -> Iterator[str]:
    """Yield tags with the colors of the page, rounded numbers and few attributes, and the text between them."""
    is_kept: list[bool] = []
    for tag, text in re.findall(r"(<[^>]*>)([^<]*)", markup):
        if tag.startswith("</g"):
            yield tag if is_kept.pop() else ""
        else:
            short = _short_tag(tag)
            if tag.startswith("<g") and not tag.endswith("/>"):
                is_kept.append(short != "<g>")
            yield "" if short in ("<g>", "<g/>") else short
        yield text if text.strip() else ""


def _short_tag(tag: str) -> str:
    for role, stand_in in _STAND_INS.items():
        tag = tag.replace(stand_in, f"var(--{role})")
    tag = re.sub(r' id="of-([\d-]+)"', lambda match: f' data-of="{match[1].replace("-", " ")}"', tag)
    tag = re.sub(r' id="(?![mp][0-9a-f]{10}")[^"]*"', "", tag)
    tag = re.sub(r"font-family: [^;\"]*; |stroke-dashoffset: 0; ", "", tag)
    tag = re.sub(r"font: (bold |\d+ )?([\d.]+px)[^;\"]*", _short_font, tag)  # as matplotlib before 3.10 writes it
    tag = _POSITIONS.sub(lambda match: _NUMBER.sub(lambda n: f"{float(n[0]):.1f}".removesuffix(".0"), match[0]), tag)
    tag = re.sub(r"\n([MLHVCz])", r"\1", tag).replace("\n", "").replace("xlink:", "")
    return re.sub(r"([MLHVC]) ", r"\1", tag)


def _short_font(font: re.Match[str]) -> str:
    return f"{'font-weight: 700; ' if font[1] else ''}font-size: {font[2]}"
