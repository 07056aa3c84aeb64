"""Names as people write them."""

import pytest

from certus.spelling import Speller, nearest, plain, suggestion

SPELLER = Speller.of(["bh", "holm", "max-t"], {"FDR": "bh", "tukey_hsd": "max-t", "holm": "bh"})


@pytest.mark.parametrize("given", ["max-t", "Max_T", " MAX  t ", "max-T", "Tukey HSD"])
def test_case_blanks_underscores_and_hyphens_make_no_difference(given: str) -> None:
    assert SPELLER.find(given) == "max-t"
    assert plain("max_t") == plain("Max T") == "max-t"


def test_a_name_comes_before_an_alias_that_is_spelled_alike() -> None:
    assert SPELLER.find("holm") == "holm"


def test_a_name_that_is_not_offered_is_not_found_and_not_suggested() -> None:
    assert SPELLER.find("fdr", ["holm"]) is None
    assert SPELLER.hint("max-tt", ["holm"]) == ""
    assert SPELLER.hint("max-tt") == "did you mean 'max-t'?"


@pytest.mark.parametrize("found", [None, 3, b"holm", ["holm"]])
def test_what_is_no_text_has_no_suggestion(found: object) -> None:
    assert nearest(found, ["holm"]) is None
    assert suggestion(found, ["holm"]) == SPELLER.hint(found) == ""


def test_a_suggestion_keeps_the_known_spelling_and_ignores_case_and_blanks() -> None:
    assert suggestion(" NDGC ", ["AP", "nDCG"]) == "did you mean 'nDCG'?"
    assert suggestion("x" * 10**6, ["nDCG"]) == ""
