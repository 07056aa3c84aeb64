"""Names as people write them."""

from pathlib import Path

import pytest

from certus.core.errors import DataError, MetricNameError
from certus.core.registry import Registry
from certus.core.spelling import nearest, normalize_name, repeated, suggestion
from certus.io import read_predictions

CORRECTIONS = Registry("correction", dict.fromkeys(["bh", "holm", "max-t"]), {"FDR": "bh", "tukey_hsd": "max-t"})


@pytest.mark.parametrize("given", ["max-t", "Max_T", " MAX  t ", "max-T", "Tukey HSD"])
def test_case_blanks_underscores_and_hyphens_make_no_difference(given: str) -> None:
    assert CORRECTIONS.find(given) == "max-t"
    assert normalize_name("max_t") == normalize_name("Max T") == "max-t"


def test_a_name_and_an_alias_belong_to_one_entry() -> None:
    corrections = Registry("correction", CORRECTIONS, CORRECTIONS.aliases)
    for name, aliases, taken in (
        ("holm-sidak", ["holm"], "holm"),
        ("FDR", [], "FDR"),
        ("by", ["fdr-by", "FDR"], "FDR"),
    ):
        with pytest.raises(MetricNameError, match=f"'{taken}' already names the correction"):
            corrections.add(name, None, aliases)
    corrections.add("bh", None, ["FDR", "fdr-bh"])
    assert corrections.find("FDR BH") == "bh"
    assert list(corrections) == ["bh", "holm", "max-t"]


def test_a_name_that_is_not_offered_is_not_found_and_not_suggested() -> None:
    assert CORRECTIONS.find("fdr", ["holm"]) is None
    assert CORRECTIONS.hint("max-tt", ["holm"]) == "there are holm"
    assert CORRECTIONS.hint("max-tt") == "did you mean 'max-t'? There are bh, holm, max-t"
    with pytest.raises(MetricNameError, match="no correction is named 'fdr'; there are holm"):
        CORRECTIONS.resolve("fdr", ["holm"])


@pytest.mark.parametrize("found", [None, 3, b"holm", ["holm"]])
def test_what_is_no_text_has_no_suggestion(found: object) -> None:
    assert nearest(found, ["holm"]) is None
    assert suggestion(found, ["holm"]) == ""
    assert CORRECTIONS.hint(found, ["holm"]) == "there are holm"


@pytest.mark.parametrize("wrong", [["bh"], 3, {"holm": 1}])
def test_what_is_no_text_names_nothing(wrong: object) -> None:
    assert CORRECTIONS.find(wrong) is None
    with pytest.raises(MetricNameError, match=r"no correction is named .*; there are bh, holm, max-t"):
        CORRECTIONS.resolve(wrong)


def test_a_suggestion_keeps_the_known_spelling_and_ignores_case_and_blanks() -> None:
    assert suggestion(" NDGC ", ["AP", "nDCG"]) == "did you mean 'nDCG'?"
    assert suggestion("x" * 10**6, ["nDCG"]) == ""


def test_a_name_that_stands_twice_is_found_without_comparing_all_pairs() -> None:
    class Name(str):
        compared = 0
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            Name.compared += 1
            return str.__eq__(self, other)

    names = [Name(f"c{i}") for i in range(2000)]
    assert repeated(names) is None
    assert repeated([*names, Name("c1999"), Name("c0")]) == "c1999"
    assert Name.compared < 100


def test_readers_refuse_the_first_name_that_stands_twice(tmp_path: Path) -> None:
    names = [f"c{i}" for i in range(3000)]
    table, lines = tmp_path / "t.csv", tmp_path / "t.jsonl"
    table.write_text(",".join([*names, "c7", "c1"]) + "\n")
    lines.write_text("{" + ",".join(f'"{name}": 1' for name in [*names, "c7", "c1"]) + "}\n")
    with pytest.raises(DataError, match="two columns are named 'c7'"):
        read_predictions(table)
    with pytest.raises(DataError, match="'c7' stands twice in one object"):
        read_predictions(lines)
