"""The guides show what the commands in them print; Python examples are doctests."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
SHOWN = [
    page
    for page in (README, *sorted((ROOT / "docs").rglob("*.md")))
    if "\n$ certus " in page.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("page", SHOWN, ids=lambda page: page.stem)
def test_commands_print_what_their_page_shows(page: Path) -> None:
    from refresh_pages import with_outputs

    text = page.read_text(encoding="utf-8")
    assert with_outputs(text) == text


def test_every_kind_of_user_has_an_example_in_the_readme() -> None:
    from refresh_pages import COMMAND

    shown = {line.split()[1] for line, output in COMMAND.findall(README.read_text(encoding="utf-8")) if output.strip()}
    assert shown >= {"evaluate", "compare", "audit", "chance"}


def test_a_stale_output_is_written_again() -> None:
    from refresh_pages import with_outputs, with_values

    command = "$ certus evaluate few.csv --value ok --format csv | head -2"
    page = f"```console\n$ cat few.csv\nok\n1\n0\n1\n\n{command}\nold\n```\n"
    table = with_outputs(page).split("head -2\n")[1].splitlines()
    assert table[0].startswith("run,metric,value,")
    assert table[1].split(",")[2].startswith("0.666")
    assert table[2:] == ["```"]
    assert with_values("a\n\n```pycon\n>>> 1 + 1\n3\n>>> 2\n2\n\n```\n", "a") == (
        "a\n\n```pycon\n>>> 1 + 1\n2\n>>> 2\n2\n\n```\n"
    )


def test_commands_without_output_are_not_run() -> None:
    from refresh_pages import with_outputs

    page = "```console\n$ certus evaluate there-is-no-such-file.csv\n```\n"
    assert with_outputs(page) == page


def test_numbers_of_sentences_for_papers_are_those_that_the_commands_print() -> None:
    page = (ROOT / "docs" / "in-a-paper.md").read_text(encoding="utf-8")
    printed = [float(each) for block in page.split("```")[1::2] for each in re.findall(r"\d+\.\d+", block)]
    sentences = "".join(re.findall(r"^> .*\n", page, re.MULTILINE))
    numbers = re.findall(r"0\.\d+|\d+(?=%(?! interval))", sentences)
    assert len(numbers) > 20
    for number in numbers:
        digits = len(number.partition(".")[2])
        scale = 1 if digits else 100
        error = 0.5 * 10.0**-digits + 1e-9
        assert number in ("0.0001",) or any(abs(each * scale - float(number)) <= error for each in printed), number
