"""The law of the hits of an audit: as a picture and as a table, and when an approximation is one."""

import json
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from legible import artists

from certus import DataError
from certus.audit import recall_precision
from certus.audit.known_positives import KnownPositives
from certus.cli.app import run

pytest.importorskip("matplotlib").use("Agg")

ONE = ["--positives", "1000", "--checked", "500", "--hits", "400", "--predicted", "10000"]


def example(method: str = "posterior") -> KnownPositives:
    """N = 1000 positives, n = 500 checked, k = 400 hits, 10000 predicted: the document's example."""
    return recall_precision(positives=1000, checked=500, hits=400, predicted=10000, interval=method)


def legend(ax: Any) -> str:
    text: str = ax.get_legend().get_texts()[0].get_text()
    return text.replace("\n", " ")


def pmf(x: int, total: int, n: int, k: int) -> Fraction:
    """The document's law C(x, k) C(N - x, n - k) / C(N + 1, n + 1)."""
    return Fraction(comb(x, k) * comb(total - x, n - k), comb(total + 1, n + 1))


def test_the_picture_has_the_law_the_interval_and_the_centre_of_the_example() -> None:
    ax = example().plot()
    law, normal, beta = artists(ax, "certus-curve")
    x, y = law.get_data()
    heights = dict(zip((x[1:-1:2] + x[2::2]) / 2, y[1:-1:2], strict=True))
    for hits in (774, 800, 823):
        assert heights[hits] == pytest.approx(float(pmf(hits, 1000, 500, 400)), rel=1e-9)
    (shade,) = artists(ax, "certus-shaded")
    across = shade.get_paths()[0].vertices[:, 0]
    assert (across.min(), across.max()) == (773.5, 823.5)
    (mark,) = artists(ax, "certus-mark")
    assert list(mark.get_xdata()) == [800, 800]
    # the normal law: mean N k / n, standard deviation N sqrt(.8 .2 / 500)
    spread = 1000 * np.sqrt(0.8 * 0.2 / 500)
    assert normal.get_ydata().max() == pytest.approx(1 / (spread * np.sqrt(2 * np.pi)), rel=1e-3)
    assert beta.get_xdata()[beta.get_ydata().argmax()] == pytest.approx(800, abs=0.5)
    assert legend(ax) == "posterior of the hits; shaded: 95% interval 774 to 823 (posterior)"
    assert legend(example("wilson").plot()).endswith("(wilson)")


def test_few_counts_are_bars_and_another_interval_may_be_asked_for() -> None:
    audit = recall_precision(positives=30, checked=20, hits=13, predicted=60)
    ax = audit.plot(level=0.5, interval="posterior", approximations=False)
    low, high, *_ = audit.hits.interval(0.5, "posterior")
    bars = artists(ax, "certus-shaded")
    assert sorted(round(bar.get_x() + bar.get_width() / 2) for bar in bars) == list(range(int(low), int(high) + 1))
    assert len(artists(ax, "certus-curve")) == 1


def test_the_table_of_a_small_population_is_the_law() -> None:
    audit = recall_precision(positives=10, checked=6, hits=4, predicted=40)
    table = audit.posterior()
    assert [hits for hits, _, _ in table] == [4, 5, 6, 7, 8]
    total = Fraction(0)
    for hits, p, up_to in table:
        total += pmf(hits, 10, 6, 4)
        assert p == pytest.approx(float(pmf(hits, 10, 6, 4)), rel=1e-13)
        assert up_to == pytest.approx(float(total), rel=1e-13)
    # cut to the possible counts, its probabilities add up to 1 again
    cut = recall_precision(positives=10, checked=6, hits=4, predicted=6).posterior()
    assert [hits for hits, _, _ in cut] == [4, 5, 6]
    assert sum(p for _, p, _ in cut) == pytest.approx(1, rel=1e-13)


def test_a_long_table_is_refused() -> None:
    with pytest.raises(DataError, match="the posterior has 501 counts of hits; a table has at most 200, draw it"):
        example().posterior()


@pytest.mark.parametrize("method", ["wilson", "beta", "wilson-fpc"])
def test_an_approximation_of_fewer_than_fifty_says_so(method: str) -> None:
    few = recall_precision(positives=500, checked=49, hits=40, predicted=2000)
    assert few.recall.interval(method=method).reason == (
        "an approximation for 50 checked or more; 'posterior' is exact given its prior, 'blaker' always covers"
    )
    enough = recall_precision(positives=500, checked=50, hits=40, predicted=2000)
    assert enough.recall.interval(method=method).reason == ""
    for exact in ("blaker", "posterior", "clopper-pearson", "hypergeometric"):
        assert few.recall.interval(method=exact).reason == ""


def test_the_command_line_draws_and_lists_the_law(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "law.png"
    assert run(["audit", *ONE, "--plot", str(file)]) == 0
    assert file.read_bytes().startswith(b"\x89PNG")
    assert run(["audit", *ONE, "--plot", str(file)]) == 2
    assert run(["audit", *ONE, "--plot", str(file), "--force"]) == 0
    capsys.readouterr()
    small = ["audit", "--positives", "6", "--checked", "4", "--hits", "3", "--predicted", "10"]
    assert run([*small, "--posterior", "--format", "json"]) == 0
    rows = {row["metric"]: row["value"] for row in json.loads(capsys.readouterr().out)["rows"]}
    assert rows["P(Hits = 4)"] == pytest.approx(float(pmf(4, 6, 4, 3)), rel=1e-13)
    assert run(["audit", *ONE, "--posterior"]) == 3
    assert run(["audit", "--checked", "50", "--hits", "40", "--posterior"]) == 2
    assert "--posterior: is of the hits among known positives" in capsys.readouterr().err
    assert run(["audit", "--checked", "50", "--hits", "40", "--plot", str(file), "--force"]) == 2
