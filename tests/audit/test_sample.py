"""Drawing items to check: which are drawn, how many of each stratum, and what the file says of them."""

import csv
import io
import itertools
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certus import CertusError, DataError
from certus.audit.plan import allocated
from certus.audit.sample import DrawnSample, _sample_rows, draw


def table(n: int, **columns: Sequence[object]) -> pd.DataFrame:
    return pd.DataFrame({"id": [f"d{i}" for i in range(n)], **columns})


def ids(drawn: DrawnSample) -> list[str]:
    return [row[0] for row in drawn.rows]


def cells(drawn: DrawnSample, name: str) -> list[str]:
    return [row[drawn.columns.index(name)] for row in drawn.rows]


def test_a_seed_draws_the_same_rows_everywhere() -> None:
    # written down here: raw bits of PCG64 do not change with the version of numpy
    assert ids(draw(table(1000), size=6, seed=7)) == ["d6", "d37", "d865", "d614", "d114", "d680"]


def test_a_larger_size_draws_the_smaller_sample_and_more() -> None:
    data = table(500, kind=["a", "b", "c", "c", "c"] * 100)
    small, large = (draw(data, size=size, seed=3, by="kind") for size in (50, 200))
    assert set(ids(small)) < set(ids(large))
    kept = [each for each in ids(large) if each in ids(small)]
    assert kept == ids(small)  # in the same order of labelling


def test_every_ordered_sample_is_equally_likely() -> None:
    draws = 20_000
    codes = np.zeros(5, dtype=np.int64)
    found = Counter(tuple(_sample_rows(codes, {0: 2}, seed).tolist()) for seed in range(draws))
    assert set(found) == set(itertools.permutations(range(5), 2))
    expected = draws / 20
    chi_square = sum((count - expected) ** 2 / expected for count in found.values())
    assert chi_square < 43.8  # 0.1 % of chi-square with 19 degrees of freedom


def test_a_prefix_in_the_order_of_labelling_holds_its_share_of_every_stratum() -> None:
    data = table(10_000, kind=["rare"] * 300 + ["common"] * 9700)
    drawn = draw(data, size={"rare": 300, "common": 900}, seed=1, by="kind")
    first = Counter(cells(drawn, "audit_stratum")[:400])
    assert abs(first["rare"] - 100) < 5 * np.sqrt(400 * 0.25 * 0.75)


def test_the_file_says_how_each_row_was_drawn() -> None:
    drawn = draw(table(10, kind=["a"] * 4 + ["b"] * 6), size={"a": 1, "b": 3}, seed=2, by="kind")
    assert drawn.columns[:3] == ("id", "kind", "label")
    assert set(cells(drawn, "label")) == {""}
    assert cells(drawn, "audit_order") == ["1", "2", "3", "4"]
    assert set(cells(drawn, "audit_of")) == {"4"}
    assert [f"d{int(row) - 1}" for row in cells(drawn, "audit_row")] == ids(drawn)
    rows = zip(cells(drawn, "kind"), cells(drawn, "audit_size"), cells(drawn, "audit_inclusion"), strict=True)
    assert sorted(rows) == [("a", "4", "0.25"), *[("b", "6", "0.5")] * 3]
    assert len(set(cells(drawn, "audit_draw"))) == 1
    assert str(drawn) == "4 rows drawn: a 1 of 4, b 3 of 6"
    assert str(draw(table(9), size=3, seed=0)) == "3 of 9 rows drawn"


@pytest.mark.parametrize("values", [[1, 0, 1, 0], ["yes", "no", "Yes", "NO"], [True, False, True, False]])
def test_predictions_are_two_strata_with_equal_halves(values: list[object]) -> None:
    drawn = draw(table(40, spam=values * 10), size=21, seed=5, predicted="spam")
    assert drawn.strata == {"discarded": (20, 10), "retrieved": (20, 11)}
    assert Counter(zip(cells(drawn, "audit_stratum"), cells(drawn, "audit_predicted"), strict=True)) == {
        ("discarded", "no"): 10,
        ("retrieved", "yes"): 11,
    }


def test_strata_and_predictions_go_together() -> None:
    data = table(60, lang=["de", "en", "en"] * 20, guess=["spam", "ham"] * 30)
    drawn = draw(data, size=30, seed=5, by="lang", predicted="guess", positive="spam")
    assert {name: n for name, (_, n) in drawn.strata.items()} == {
        "de/discarded": 5,
        "de/retrieved": 5,
        "en/discarded": 10,
        "en/retrieved": 10,
    }


def test_only_the_columns_asked_for_are_written() -> None:
    drawn = draw(table(9, text=["x"] * 9, kind=["a"] * 9), size=2, seed=1, columns=["text"], by="kind", label="ok")
    assert drawn.columns[:3] == ("text", "ok", "audit_order")


def test_cells_come_through_as_they_were(tmp_path: Path) -> None:
    odd = ["a,b", 'say "no"', "two\nlines", "naïve Ω 🙂", "=1+1", " blanks ", "", "007"]
    path = tmp_path / "odd.csv"
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file).writerows([["id", "text"], *([str(i), text] for i, text in enumerate(odd))])
    text = draw(path, size=8, seed=1).to_csv(line_end="\r\n")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    odd[4] = "'=1+1"  # no formula; read_back drops the apostrophe
    assert {row["id"]: row["text"] for row in rows} == {str(i): each for i, each in enumerate(odd)}


@given(st.dictionaries(st.text("abcdef", min_size=1), st.integers(1, 50), min_size=1, max_size=6), st.data())
def test_proportional_sizes_are_the_nearest_that_add_up(strata: dict[str, int], data: st.DataObject) -> None:
    total = sum(strata.values())
    size = data.draw(st.integers(len(strata), total))
    found = allocated(size, strata, {name: name for name in strata})
    assert sum(found.values()) == size
    assert all(1 <= found[name] <= strata[name] for name in strata)
    exact = {name: size * items / total for name, items in strata.items()}
    if min(exact.values()) >= 1:
        assert all(abs(found[name] - exact[name]) < 1 for name in strata)


@given(st.integers(1, 30), st.integers(1, 30), st.data())
def test_halves_are_equal_until_one_stratum_is_used_up(one: int, other: int, data: st.DataObject) -> None:
    size = data.draw(st.integers(2, one + other)) if one + other >= 2 else 2
    found = allocated(size, {"x": one, "y": other}, {"x": "", "y": ""})
    assert sum(found.values()) == size
    assert abs(found["x"] - found["y"]) <= 1 or found["x"] == one or found["y"] == other


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"size": 11}, "size is 11 but there are 10 rows to draw from"),
        ({"size": 0}, "size is 0; it must be at least 1"),
        ({"size": 2.5}, "size is 2.5; it must be a whole number"),
        ({"size": 1, "by": "kind"}, "size is 1 but there are 2 strata"),
        ({"size": {"a": 1}, "by": "kind"}, "size has no number for the stratum 'b'"),
        ({"size": {"a": 9, "b": 1}, "by": "kind"}, "size of 'a' is 9 but the stratum has 5 rows"),
        ({"size": {"a": 0, "b": 1}, "by": "kind"}, "size of 'a' is 0"),
        ({"size": {"retreived": 1}, "predicted": "kind", "positive": "a"}, "did you mean 'retrieved'"),
        ({"size": 2, "by": "kin"}, "has no column 'kin'; did you mean 'kind'"),
        ({"size": 2, "predicted": "kind"}, "table:1: 'kind' is 'a'; say with positive= which prediction is positive"),
        ({"size": 2, "predicted": "kind", "positive": "c"}, "no 'kind' is 'c'; there are 'a', 'b'"),
        ({"size": 2, "label": "kind"}, "has a column 'kind' already; choose another name for the labels"),
        ({"size": 2, "label": ""}, "label is ''"),
        ({"size": 2, "columns": ["nope"]}, "has no column 'nope'"),
        ({"size": 2, "seed": -1}, "seed is -1"),
    ],
)
def test_what_cannot_be_drawn_is_refused(arguments: dict[str, object], match: str) -> None:
    with pytest.raises(CertusError, match=match):
        draw(table(10, kind=["a", "b"] * 5), **{"seed": 1, **arguments})  # type: ignore[arg-type]


def test_a_file_that_was_drawn_is_not_drawn_from_again(tmp_path: Path) -> None:
    path = tmp_path / "drawn.csv"
    path.write_text(draw(table(9), size=3, seed=1).to_csv())
    with pytest.raises(DataError, match="has a column 'audit_order'; names that begin with audit_ are for the audit"):
        draw(path, size=2, seed=1, label="second")


def test_an_empty_stratum_name_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("id,kind\n1,a\n2,\n")
    with pytest.raises(DataError, match=r"run\.csv:3: the stratum is empty"):
        draw(path, size=1, seed=1, by="kind")
