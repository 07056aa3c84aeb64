"""Pictures of laws: exact probabilities, the normal law beside them, the observed value and its tail."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from legible import artists

from certus import DataError, chance
from certus.chance.versus import VersusChance

plt = pytest.importorskip("matplotlib.pyplot")


def labels(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_few_values_have_a_bar_each_of_the_height_of_its_probability() -> None:
    law = chance.hits(10, 4, 5)
    ax = law.plot(observed=3)
    bars = artists(ax, "certus-bar") + artists(ax, "certus-shaded")
    found = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in bars}
    assert found == pytest.approx({k: float(law.pmf(k)) for k in range(5)})
    assert sorted(round(bar.get_x() + bar.get_width() / 2) for bar in artists(ax, "certus-shaded")) == [3, 4]
    (mark,) = artists(ax, "certus-mark")
    assert list(mark.get_xdata()) == [3, 3]
    assert labels(ax) == ["exact law", "normal approximation", f"observed 3: P(X ≥ observed) = {law.tail(3):.3g}"]


def test_figure_1_of_zhang_and_su_has_the_exact_density_and_the_normal_one() -> None:
    # the paper's second setting, 500 relevant items among 2,000, is drawn in docs/; a fifth of it here
    law = chance.average_precision(400, 100)
    ax = law.plot(observed=0.3)
    steps, normal = artists(ax, "certus-curve")
    x, y = steps.get_data()
    edges, heights = x[::2], y[1:-1:2]
    np.testing.assert_allclose(heights * np.diff(edges), -np.diff(law.tail(edges)), atol=1e-12)
    assert 0.3 in edges
    assert (heights * np.diff(edges)).sum() == pytest.approx(1, abs=1e-3)
    across, up = normal.get_data()
    assert up.max() == pytest.approx(1 / (law.std() * np.sqrt(2 * np.pi)), rel=1e-3)
    assert across[up.argmax()] == pytest.approx(law.mean(), rel=0.01)
    (region,) = artists(ax, "certus-shaded")
    assert region.get_paths()[0].vertices[:, 0].min() == pytest.approx(0.3)


def test_a_tail_below_ends_at_the_value() -> None:
    ax = chance.hits(10_000, 1000, 1000).plot(observed=85, alternative="less", normal=False)
    (region,) = artists(ax, "certus-shaded")
    assert region.get_paths()[0].vertices[:, 0].max() == pytest.approx(85, abs=1e-3)
    assert labels(ax)[-1].startswith("observed 85: P(X ≤ observed) = 0.0")


def test_a_rounded_value_has_the_tail_of_all_that_round_to_it() -> None:
    law = chance.average_precision(8, 3)
    assert labels(law.plot(observed=0.9167, digits=4))[-1] == "observed 0.9167: P(X ≥ observed) = 0.0357"
    assert labels(law.plot(observed=0.9167))[-1] == "observed 0.9167: P(X ≥ observed) = 0.0179"


def test_a_law_that_takes_long_is_drawn_from_random_values_and_says_so() -> None:
    ax = chance.average_precision(100_000, 50).plot()
    assert labels(ax) == ["20,000 random values", "normal approximation"]


def test_a_law_of_one_value_and_a_continuous_one_are_drawn() -> None:
    assert labels(chance.hits(5, 5, 2).plot()) == ["exact law"]
    assert labels(chance.average_precision(100, 10, engine="zhang-su").plot(normal=False)) == ["zhang-su"]


def test_several_laws_share_axes() -> None:
    ax = chance.hits(10, 4, 5).plot(normal=False, name="5 of 10")
    assert chance.hits(10, 4, 6).plot(ax, normal=False, name="6 of 10") is ax
    assert labels(ax) == ["5 of 10", "6 of 10"]


def test_a_value_against_chance_draws_itself() -> None:
    result = VersusChance(0.7, chance.auc(30, 40), "two-sided", "AUC")
    ax = result.plot()
    assert ax.get_xlabel() == "AUC of a random ranking"
    assert labels(ax)[-1] == f"observed 0.7: two-sided p = {result.p:.3g}"


def test_digits_without_a_value_are_refused() -> None:
    with pytest.raises(DataError, match="digits is for an observed value; give observed, too"):
        chance.hits(5, 2, 2).plot(digits=2)


def test_the_command_line_draws_the_law(tmp_path: Path) -> None:
    from certus.cli.app import run

    file = tmp_path / "law.png"
    asked = ["chance", "ap", "--items", "8", "--relevant", "3", "--observed", "11/12", "--plot", str(file)]
    assert run(asked) == 0
    assert file.read_bytes().startswith(b"\x89PNG")
    assert run(asked) == 2  # the file exists
    assert run([*asked, "--force"]) == 0
    assert run(["chance", "ap", "--items", "8", "--relevant", "3", "--force"]) == 2
    assert run(["chance", "ap", "--items", "8", "--relevant", "3", "--plot", str(tmp_path / "law.txt")]) == 2


@pytest.mark.parametrize(
    ("alternative", "observed"), [("greater", None), ("greater", 0.5), ("less", 11 / 12), ("less", 1.0)]
)
@pytest.mark.parametrize(("n", "m"), [(3, 2), (8, 3), (12, 5), (60, 20)])
def test_no_mass_is_drawn_outside_of_the_support(n: int, m: int, alternative: Any, observed: float | None) -> None:
    law = chance.average_precision(n, m)
    ax = law.plot(observed=observed, alternative=alternative, normal=False)
    least, greatest = law.support()
    if bars := artists(ax, "certus-bar") + artists(ax, "certus-shaded") if n == 3 else []:
        width = greatest - least
        assert max(bar.get_x() + bar.get_width() for bar in bars) <= greatest + 0.011 * width
        return
    x, y = artists(ax, "certus-curve")[0].get_data()
    edges, heights = x[::2], y[1:-1:2]
    assert least - 1e-12 <= edges.min() <= edges.max() <= greatest + 1e-12
    assert (heights * np.diff(edges)).sum() == pytest.approx(1, abs=1e-3)
    # No sliver beside an end, of which a single value would make a spike.
    assert heights.max() < 12 / (greatest - least)
    plt.close(ax.figure)
