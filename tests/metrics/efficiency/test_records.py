"""Space, coverage of a collection, freshness and rate of updating, by hand."""

from fractions import Fraction
from pathlib import Path

import pytest

import certus
from certus import DataError
from certus.cli import app

EFFICIENCY = certus.efficiency
# Six documents of a collection: bytes in the index, whether it holds them, days out of date, updates in 30 days.
SIZES = [120, 80, 100, 0, 260, 40]
HELD = [1, 1, 1, 0, 1, 1]
STALENESS = [0, 2.5, 0, 9, 0, 0.5]
UPDATES = [30, 4, 0, 0, 10, 1]


def test_space_by_hand() -> None:
    assert EFFICIENCY.mean_space(SIZES).value == float(Fraction(sum(SIZES), 6))
    assert EFFICIENCY.space_quantile(SIZES, q=1).value == 260
    assert EFFICIENCY.space_quantile(SIZES, q=0.5).value == 90


def test_coverage_freshness_and_age_by_hand() -> None:
    coverage = EFFICIENCY.collection_coverage(HELD)
    assert coverage.value == 5 / 6
    assert coverage.interval().method == "modified-wilson"
    assert EFFICIENCY.freshness(STALENESS).value == 3 / 6
    assert EFFICIENCY.mean_staleness(STALENESS).value == 2


def test_the_rate_of_updating_is_per_unit_of_the_period() -> None:
    assert EFFICIENCY.update_rate(UPDATES, period=30).value == pytest.approx(45 / 6 / 30, rel=1e-15)
    assert str(certus.parse("UpdateRate@30", task="efficiency")) == "UpdateRate@30"


def test_groups_widen_and_do_not_change_the_value() -> None:
    groups = ["a", "a", "b", "b", "c", "c"]
    for metric, column in ((EFFICIENCY.freshness, STALENESS), (EFFICIENCY.collection_coverage, HELD)):
        grouped = metric(column, groups=groups)
        assert grouped.value == pytest.approx(metric(column).value, rel=1e-15)
        assert grouped.unit == "group"


@pytest.mark.parametrize(
    ("metric", "column", "message"),
    [
        (EFFICIENCY.collection_coverage, [1, 2], "held is 2 at index 1; it must be 1 where the record is held"),
        (EFFICIENCY.freshness, [0, -1], "staleness is -1 at index 1; it must be a time of at least 0"),
        (EFFICIENCY.mean_space, [-3], "sizes is -3 at index 0; a size is at least 0"),
        (EFFICIENCY.update_rate, [1, float("inf")], "updates is infinite at index 1"),
    ],
)
def test_what_cannot_be_is_refused(metric: certus.Metric, column: list[float], message: str) -> None:
    with pytest.raises(DataError, match=message):
        metric(column)


def test_a_table_of_records_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "records.csv"
    rows = zip(SIZES, HELD, STALENESS, UPDATES, strict=True)
    path.write_text("bytes,held,days,updates\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    line = ["evaluate", str(path), "--task", "efficiency", "--size", "bytes", "--held", "held"]
    assert app.run([*line, "--staleness", "days", "--updates", "updates", "--format", "csv"]) == 0
    found = {cells[1]: cells[2] for cells in (row.split(",") for row in capsys.readouterr().out.splitlines()[1:])}
    assert set(found) == {"MeanSpace", "SpaceQuantile@1", "CollectionCoverage", "Freshness", "Age", "UpdateRate"}
    assert (float(found["MeanSpace"]), float(found["Age"]), float(found["UpdateRate"])) == (100, 2, 7.5)
