"""tools/differential.py makes the calls of a seed with two installations and tells what differs."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"


@pytest.fixture(autouse=True, scope="module")
def _tools() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(TOOLS))
        yield


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from net.installation import Installation

    with Installation(Path(sys.executable), tmp_path_factory.mktemp("files")) as installation:
        yield installation


def changes(**parts: Any) -> Any:
    from net.differences import Changes

    empty: dict[str, Any] = {
        name: {} for name in ("names", "keywords", "attributes", "options", "errors", "metrics", "texts")
    }
    return Changes(**(empty | {"expected": []} | parts))


def found(old: Any, new: Any, **parts: Any) -> list[str]:
    from net.differences import differences

    return [str(difference) for difference in differences(old, new, changes(**parts))]


def test_the_last_bit_of_a_number_is_a_close_difference() -> None:
    assert found({"value": 0.1 + 0.2}, {"value": 0.3}) == ["value: 0.30000000000000004 became 0.3 (close)"]
    assert found({"value": 0.3}, {"value": 0.3001}) == ["value: 0.3 became 0.3001"]
    assert found({"value": 0.3}, {"value": float("inf")}) == ["value: 0.3 became inf"]
    assert found({"value": float("nan"), "n": 3}, {"value": float("nan"), "n": 3.0}) == []


def test_words_may_change_where_numbers_may_not() -> None:
    assert found({"reason": "no positives"}, {"reason": "there are no positives"}) == []
    assert found({"reason": "no positives"}, {"reason": ""}) == ["reason: 'no positives' became ''"]
    assert found({"reason": "2 of 30 lack it"}, {"reason": "of 30 runs, 2 lack it"}) == []
    assert found({"reason": "2 of 30 lack it"}, {"reason": "3 of 30 lack it"}) == [
        "reason: '2 of 30 lack it' became '3 of 30 lack it'"
    ]
    assert found({"out": "AUC  0.50\n"}, {"out": "area 0.50\n"}) == []
    assert found({"out": "AUC  0.50*\n"}, {"out": "AUC  0.50\n"}) == ["out: 'AUC  0.50*' became 'AUC  0.50'"]
    assert found({"out": "AUC  0.50\n"}, {"out": "AUC  0.51\n"}) == ["out: 'AUC  0.50' became 'AUC  0.51'"]
    assert found({"out": "p with 0.025, as the 95% interval is"}, {"out": "p with 0.025"}) != []
    assert found({"out": "p with 0.025, as the 95% interval is"}, {"out": "p with 0.025"}, texts={", as.*is": ""}) == []
    assert found({"notes": 1, "words": ["a"]}, {"notes": 2, "words": ["b", "c"]}) == ["notes: 1 became 2"]


def test_an_attribute_that_is_gone_differs_unless_it_has_another_name() -> None:
    assert found({"a": {"low": 1.0}}, {"a": {"lower": 1.0}}) == ["a.low: 1.0 became 'nothing'"]
    assert found({"a": {"low": 1.0}}, {"a": {"lower": 1.0}}, attributes={"low": "lower"}) == []


def test_a_call_is_translated_and_a_meant_difference_has_its_reason() -> None:
    from net.calls import call
    from net.differences import Difference

    told = changes(
        names={"certus.evaluate": "certus.score"},
        keywords={"* groups": "clusters"},
        expected=[{"call": "score", "difference": "^p:", "reason": "exact now"}],
    )
    assert told.translated(call("evaluate", [1], groups=[2])) == call("score", [1], clusters=[2])
    assert changes(metrics={r"Entropy\(of=": "Entropy(labelling="}).translated(
        {"command": ["evaluate", "-m", "Entropy(of=pred)"]}
    ) == {"command": ["evaluate", "-m", "Entropy(labelling=pred)"]}
    assert told.reason("certus.score(1)", Difference("p", 0.1, 0.2)) == "exact now"
    assert told.reason("certus.score(1)", Difference("value", 0.1, 0.2)) is None


def test_the_table_of_changes_can_be_read() -> None:
    from net.differences import Changes

    assert all({"reason"} < rule.keys() for rule in Changes.read().expected)


def test_an_installation_answers_after_a_call_that_ends_its_process(here: Any) -> None:
    from net.calls import Program, call

    good, bad, wrong = Program("good"), Program("bad"), Program("wrong")
    good.step(call("classification.accuracy", [1, 0], [1, 1]))
    bad.step(call(":os._exit", 7))
    wrong.step(call("classification.accuracy", [1, 0], [1]))
    first, died, last, refused = here.make([each.json() for each in (good, bad, good, wrong)])
    assert first == last
    assert first["results"]["x0"]["value"] == 0.5
    assert died == {"died": 7}
    assert (refused["error"]["class"], refused["error"]["argument"]) == ("DataError", "y_pred")


def test_calls_depend_on_seed_and_number_alone_and_print_as_scripts(here: Any, tmp_path: Path) -> None:
    from net.calls import script
    from net.kinds import SHARES, program_of

    catalogue = here.catalogue()
    for maker in SHARES:
        program = program_of(3, 5, catalogue, kind=maker.__name__)
        again = program_of(3, 5, catalogue, kind=maker.__name__)
        assert repr(program) == repr(again)  # NaN is no NaN
        compile(script(program.json(), tmp_path), maker.__name__, "exec")


def test_a_command_line_gives_its_status_and_output(here: Any) -> None:
    from net.calls import Program

    program = Program("command")
    program.step({"command": ["hits", "x-x"]})
    program.step({"command": ["hits", "nothing"]})
    (outcome,) = here.make([program.json()])
    right, wrong = outcome["results"]["x0"], outcome["results"]["x1"]
    assert (right["status"], wrong["status"]) == (0, 3)
    assert "1.0000" in right["out"]["output"]
    assert wrong["err"]["lines"].count("\n") == 1


def test_a_call_brings_its_files_and_its_standard_input(here: Any, tmp_path: Path) -> None:
    from net.calls import Program, call, script, written

    table = written("table.csv", "y,p\n1,1\n0,1\n\udcff,0\n")
    program = Program("files")
    words = ["evaluate", "-", "--task", "classification", "--truth", "y", "--pred", "p", "-m", "Accuracy"]
    program.step({"command": [*words, "--format", "csv"], "input": written("good.csv", "y,p\n1,1\n0,1\n")})
    program.step(call("evaluate", table, task="classification", truth="y", pred="p"))
    (outcome,) = here.make([program.json()])
    assert outcome["results"]["x0"]["out"]["output"]["value"] == ["0.5"]
    assert outcome["error"]["at"] == "table.csv:4"
    assert "write_bytes(b'y,p\\n1,1\\n0,1\\n\\xff,0\\n')" in script(program.json(), tmp_path)


def test_the_catalogue_knows_keywords_and_options(here: Any) -> None:
    catalogue = here.catalogue()
    assert catalogue["keywords"]["certus.evaluate"]["chance"] == [True, False]
    assert "greater" in catalogue["keywords"]["certus.compare"]["alternative"]
    assert catalogue["options"]["audit plan"]["--recall"] == "FLOAT"
    assert catalogue["options"]["compare"]["--bayesian"] == ""


def test_a_run_has_one_value_in_every_layout_of_the_shared_files(tmp_path: Path) -> None:
    from net.files import write_files

    import certus

    write_files(tmp_path, 3)
    same = ("a.run", "scored.tsv", "plain.txt", "rows.jsonl", "run.arrow", "named.tsv")
    judged = ("qrels.txt", "qrels.jsonl", "qrels.arrow")
    values = {certus.evaluate(tmp_path / q, tmp_path / run, "AP").rows[0].value for q in judged for run in same}
    assert len(values) == 1
