"""The counts of vague names and weak summaries, and the budget that they stay within."""

from pathlib import Path

import pytest


def test_a_name_of_vague_words_alone_is_vague() -> None:
    from check_words import is_vague, is_weak

    names = ("found", "_of", "isWhole", "limits", "found_rows")
    assert [is_vague(name) for name in names] == [True, True, False, False, False]
    assert is_weak("The same of a row.")
    assert not is_weak("Rank the documents of each query.")


def test_names_are_counted_by_kind(tmp_path: Path) -> None:
    from check_words import count_names

    (tmp_path / "told.py").write_text("class Given:\n    def of(self, known, each):\n        self.own = rest = known\n")
    vague, totals = count_names([tmp_path])
    assert {kind: dict(names) for kind, names in vague.items()} == {
        "modules": {"told": 1},
        "classes": {"Given": 1},
        "functions": {"of": 1},
        "arguments": {"known": 1, "each": 1},
        "attributes": {"own": 1},
        "variables": {"rest": 1},
        "summaries": {},
    }
    assert totals["arguments"] == 2


def test_more_than_the_budget_and_less_are_complaints(monkeypatch: pytest.MonkeyPatch) -> None:
    import check_words

    counted = check_words.count_names([check_words.ROOT / "src/certus"])
    monkeypatch.setattr(check_words, "count_names", lambda folders: counted)
    assert list(check_words.over_budget()) == []
    changed = {**check_words.BUDGET, "functions": 0, "variables": check_words.BUDGET["variables"] + 1}
    monkeypatch.setattr(check_words, "BUDGET", changed)
    more, fewer = check_words.over_budget()
    assert more.startswith(f"{counted[0]['functions'].total()} vague")
    assert fewer.endswith(f"from {changed['variables']}")
