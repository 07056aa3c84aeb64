"""Words for a missing value among labels are warned of."""

from pathlib import Path

import pytest

import certus
from certus.cli import app
from certus.missing import WORDS, notice_of_words


@pytest.mark.parametrize("word", sorted(WORDS))
def test_each_word_is_warned_of_with_its_count_and_column(word: str) -> None:
    found = certus.evaluate(["a", "b", word, word], ["a", "b", "a", word], ["Accuracy"], task="classification")
    (notice,) = [each for each in found.warnings if each.kind == "missing-words"]
    assert notice.text.startswith("3 labels (2 in truth, 1 in prediction) are words that usually mean a missing value")
    assert notice.queries == (ascii(word),)


def test_minus_beside_plus_and_longer_words_are_labels() -> None:
    counts = {"truth": 1}
    assert notice_of_words({"-": counts, "+": counts}, "classes") is None
    assert notice_of_words({"nab": counts, "NA2": counts, 0: counts}, "classes") is None


def test_the_command_line_warns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text("y,p\na,a\nb,b\nNA,a\n")
    assert app.run(["evaluate", str(path), "--truth", "y", "--pred", "p", "-m", "Accuracy"]) == 0
    assert "1 label (1 in truth) is a word that usually means a missing value" in " ".join(
        capsys.readouterr().err.split()
    )
