"""tools/quick.py finds the tests that see a change."""

from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"


def test_the_tests_of_a_changed_file_come_first() -> None:
    from quick import nearest

    found = nearest(["src/certus/inference/tests/signflip.py"])
    assert found[0] == "tests/inference/test_signflip.py"
    assert "tests/comparison/test_classifiers.py" in found


def test_a_changed_test_is_run_itself_and_a_changed_text_reaches_none() -> None:
    from quick import nearest

    assert nearest(["tests/test_table.py", "README.md"]) == ["tests/test_table.py"]


def test_every_coverage_page_names_its_command() -> None:
    from studies import commands

    pages = {path.stem for path in (TOOLS.parent / "docs").glob("coverage-*.md")}
    assert pages <= set(commands())
    assert all((TOOLS.parent / words[0]).is_file() for words in commands().values())
