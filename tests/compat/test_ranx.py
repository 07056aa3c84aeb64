"""The face of ranx against what ranx 0.3.21 gives, stored by tools/make_ranx_cases.py; its packages hold no tests."""

import inspect
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from untyped import untyped

import certus
from certus import CertusError, DataError, MetricNameError
from certus.compat import ranx
from certus.compat.ranx import Qrels, Run, compare, evaluate

STORED: dict[str, Any] = json.loads((Path(__file__).parents[1] / "reference" / "ranx.json").read_text("utf-8"))
WRONG = STORED["wrong"]
QRELS = {"q2": {"b": 1}, "q1": {"a": 2, "c": 0}}
RUN = {"q2": {"a": 2.0, "b": 1.0}, "q1": {"a": 3.5, "c": 1.0}}


@pytest.mark.parametrize("case", STORED["cases"])
def test_values_are_those_of_ranx(case: dict[str, Any]) -> None:
    metrics = list(case["values"])
    assert len(metrics) > 25
    found = evaluate(Qrels(case["qrels"]), Run(case["run"]), metrics, return_mean=False)
    assert list(found) == metrics
    for metric, values in case["values"].items():
        assert found[metric].tolist() == pytest.approx(values, rel=1e-13, abs=1e-15), metric
    means = evaluate(Qrels(case["qrels"]), Run(case["run"]), metrics)
    assert means == {metric: pytest.approx(np.mean(values), rel=1e-13) for metric, values in case["values"].items()}


class TestWhereRanxIsWrong:
    """Values of ranx, stored, and of this face."""

    def test_graded_rank_biased_precision_is_above_one(self) -> None:
        assert WRONG["graded rank-biased precision"] == 1.5
        assert evaluate({"q": {"a": 3}}, {"q": {"a": 1.0}}, "rbp.5") == 0.5

    def test_dicts_in_different_orders_pair_one_querys_judgments_with_anothers_results(self) -> None:
        assert WRONG["dicts in different orders"] == 0.0
        one, two = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q2": {"b": 1.0}, "q1": {"a": 1.0}}
        assert evaluate(one, two, "map") == 1.0

    def test_bpref_without_judged_nonrelevant_documents_is_nan(self) -> None:
        assert WRONG["bpref without nonrelevant"] == "nan"
        assert evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "bpref") == 1.0

    def test_bpref_takes_negative_grades_for_judged_nonrelevant(self) -> None:
        """trec_eval's bpref, whose convention it is, takes them for unjudged."""
        assert WRONG["bpref with a negative grade"] == 0.0
        assert evaluate({"q": {"a": 1, "b": -1}}, {"q": {"b": 2.0, "a": 1.0}}, "bpref") == 1.0

    def test_tied_documents_come_in_an_order_that_depends_on_their_order_in_the_dict(self) -> None:
        assert WRONG["tied, ids rising"] != WRONG["tied, ids falling"]
        tied = {f"d{i:02}": 1.0 for i in range(20)}
        qrels = {"q": {"d03": 1}}
        found = {evaluate(qrels, {"q": run}, "mrr") for run in (tied, dict(reversed(tied.items())))}
        assert found == {1 / 17}

    def test_a_document_that_stands_twice_overwrites_itself(self, tmp_path: Path) -> None:
        assert WRONG["a document twice in a file"] == {"a": 1.0, "b": 2.0}
        path = tmp_path / "run.trec"
        path.write_text("q Q0 a 1 3 r\nq Q0 b 2 2 r\nq Q0 a 3 1 r\n")
        with pytest.raises(DataError, match=r"run.trec:3: document 'a' appears twice"):
            Run.from_file(str(path))

    def test_a_permutation_test_gives_a_p_value_of_zero(self) -> None:
        assert WRONG["p of 40 wins of 40"] == 0.0
        qrels = Qrels({f"q{i}": {"a": 1, "b": 0} for i in range(40)})
        runs = [
            Run({f"q{i}": {"a": 2.0, "b": 1.0 + 2 * wrong} for i in range(40)}, name)
            for name, wrong in (("x", 0), ("y", 1))
        ]
        p = compare(qrels, runs, "map", stat_test="fisher").comparisons["x", "y"]["map"]["p_value"]
        assert p == pytest.approx(2.0**-39, rel=1e-9)

    def test_equal_runs_have_a_p_value_of_nan(self) -> None:
        assert WRONG["p of equal runs"] == "nan"
        runs = [Run(RUN, "x"), Run(RUN, "y")]
        assert compare(Qrels(QRELS), runs, "map").comparisons["x", "y"]["map"] == {"p_value": 1.0, "significant": False}


def report(stat_test: str = "student", max_p: float = 0.05) -> ranx.Report:
    given = STORED["compared"]
    runs = [Run(run, name) for name, run in given["runs"].items()]
    return compare(Qrels(given["qrels"]), runs, given["student"]["metrics"], stat_test=stat_test, max_p=max_p)


def test_comparisons_by_students_test_are_those_of_ranx() -> None:
    found, expected = report().to_dict(), STORED["compared"]["student"]
    assert found.keys() == expected.keys()
    for model in expected["model_names"]:
        assert found[model]["win_tie_loss"] == expected[model]["win_tie_loss"]
        assert found[model]["scores"] == pytest.approx(expected[model]["scores"], rel=1e-13)
        for other, values in expected[model]["comparisons"].items():
            assert found[model]["comparisons"][other] == pytest.approx(values, rel=1e-9)


def test_exact_p_values_are_those_that_ranx_estimates_by_100000_permutations() -> None:
    found, expected = report("fisher").to_dict(), STORED["compared"]["fisher"]
    for model in expected["model_names"]:
        for other, values in expected[model]["comparisons"].items():
            for metric, p in values.items():
                ours = found[model]["comparisons"][other][metric]
                assert ours == pytest.approx(p, abs=5 * 0.5 / math.sqrt(100_000)) or ours == 1.0


def test_permutations_that_are_as_extreme_but_for_rounding_count() -> None:
    """Two runs of equal means have p = 1; in ranx the last bits of means decide."""
    assert STORED["compared"]["fisher"]["first"]["comparisons"]["third"]["precision@3"] < 0.9
    found = report("fisher")
    assert found.results["first"]["precision@3"] == pytest.approx(found.results["third"]["precision@3"], rel=1e-15)
    assert found.comparisons["first", "third"]["precision@3"]["p_value"] == 1.0


def test_tukeys_p_values_are_those_of_the_randomised_test() -> None:
    given = report("tukey")
    scores = np.column_stack([_values(run) for run in STORED["compared"]["runs"].values()])
    expected = certus.inference.tukey_hsd(scores, replicates=1000, seed=42).p
    assert given.comparisons["first", "third"]["map"]["p_value"] == expected[0, 2]


def _values(run: dict[str, Any]) -> Any:
    return evaluate(STORED["compared"]["qrels"], run, "map", return_mean=False)


def test_reports_print_the_table_of_ranx() -> None:
    """But for the alignment: tabulate puts columns without letters to the right, and drops zeros at their ends."""
    found, expected = (text.splitlines() for text in (str(report()), STORED["compared"]["table"]))
    assert len(found) == len(expected)
    for ours, theirs in zip(found[2:], expected[2:], strict=True):
        for left, right in zip(ours.split(), theirs.split(), strict=True):
            assert left == right or float(left) == float(right)
    assert found[0].split() == expected[0].split()


def test_reports_as_percentages_latex_frame_and_file(tmp_path: Path) -> None:
    found = report()
    found.show_percentages = True
    assert "20.9ᶜ" in str(found)
    found.show_percentages = False
    assert "b & blended & \\textbf{0.268}$^{c}$ & \\textbf{0.253} & \\textbf{0.250} \\\\" in found.to_latex()
    assert found.to_dataframe()["model_names"].tolist() == ["first", "blended", "third"]
    found.save(str(tmp_path / "report.json"))
    assert json.loads((tmp_path / "report.json").read_text("utf-8")) == found.to_dict()


def test_reports_of_many_runs_have_letters_beyond_z() -> None:
    runs = [Run(RUN) for _ in range(28)]
    table = str(compare(Qrels(QRELS), runs, "hit_rate@1-l2")).splitlines()
    assert table[0].split()[2:] == ["Hit", "Rate@1-l2"]
    assert table[-1].split()[:2] == ["ab", "run_28"]


def test_signatures_are_those_of_ranx() -> None:
    expected: dict[Callable[..., Any], str] = {
        evaluate: "qrels run metrics return_mean return_std threads save_results_in_run make_comparable",
        compare: "qrels runs metrics stat_test n_permutations max_p random_seed threads rounding_digits "
        "show_percentages make_comparable",
        Qrels: "qrels name",
        Run: "run name",
        Qrels.from_df: "df q_id_col doc_id_col score_col name",
        Run.from_df: "df q_id_col doc_id_col score_col name",
        Run.from_file: "path kind name",
        Qrels.from_file: "path kind",
        Run.from_parquet: "path q_id_col doc_id_col score_col pd_kwargs name",
        Run.add_multi: "self q_ids doc_ids scores",
    }
    for function, names in expected.items():
        assert " ".join(inspect.signature(function).parameters) == names


def test_results_are_kept_in_the_run() -> None:
    run = Run(RUN)
    assert evaluate(Qrels(QRELS), run, "mrr", return_std=True) == {"mean": 0.75, "std": 0.25}
    assert (run.mean_scores, run.std_scores, run.scores) == (
        {"mrr": 0.75},
        {"mrr": 0.25},
        {"mrr": {"q1": 1.0, "q2": 0.5}},
    )
    other = Run(RUN)
    evaluate(Qrels(QRELS), other, ["mrr"], save_results_in_run=False, threads=3)
    assert other.scores == {}


def test_one_metric_gives_its_value_and_several_give_a_dict() -> None:
    assert isinstance(evaluate(QRELS, RUN, ["map"]), float)
    assert evaluate(QRELS, RUN, ["map", "hits"]) == {"map": 0.75, "hits": 1.0}
    assert evaluate(QRELS, RUN, "map", return_mean=False).tolist() == [1.0, 0.5]


def test_queries_must_agree_unless_they_are_made_comparable() -> None:
    run = {"q1": {"a": 1.0}, "q3": {"a": 1.0}}
    with pytest.raises(AssertionError, match="1 in qrels alone, 1 in run alone; make_comparable=True gives those"):
        evaluate(QRELS, run, "map")
    assert evaluate(QRELS, run, "map", make_comparable=True) == 0.5
    held = Run(run)
    evaluate(Qrels(QRELS), held, "map", make_comparable=True)
    assert held.to_dict() == {"q1": {"a": 1.0}, "q2": {}}


def test_a_query_without_judgments_counts_as_zero() -> None:
    assert evaluate({**QRELS, "q0": {}}, {**RUN, "q0": {"a": 1.0}}, "map", return_mean=False).tolist() == [
        0.0,
        1.0,
        0.5,
    ]


@settings(max_examples=30)
@given(
    st.dictionaries(st.text("ab", min_size=1), st.dictionaries(st.text("cde", min_size=1), st.floats(0, 1, width=16)))
)
def test_records_are_sorted_and_hold_what_they_were_given(data: dict[str, dict[str, float]]) -> None:
    run = Run(data) if any(data.values()) else Run()
    assert run.to_dict() == (data if any(data.values()) else {})
    assert run.get_query_ids() == sorted(run.to_dict())
    for found in run.get_doc_ids_and_scores():
        assert list(found.values()) == sorted(found.values(), reverse=True)
    assert len(run) == run.size == len(run.keys())


def test_records_grow() -> None:
    run = Run(name="r")
    run.add_score("q2", "b", 1)
    run.add("q1", ["a", "b"], [1, 2])
    run.add_multi(["q3", "q4"], [["a"], []], [[3], []])
    run.add_score("q2", "a", 2.5)
    assert run.to_dict() == {"q1": {"b": 2.0, "a": 1.0}, "q2": {"a": 2.5, "b": 1.0}, "q3": {"a": 3.0}, "q4": {}}
    assert list(run["q2"]) == ["a", "b"]
    with pytest.raises(DataError, match="query 'q' has a document twice"):
        run.add("q", ["a", "a"], [1, 2])
    qrels = Qrels(QRELS)
    qrels.set_relevance_level(2)
    assert qrels.to_dict() == {"q1": {"a": 1, "c": -1}, "q2": {"b": 0}}


@pytest.mark.parametrize("suffix", ["json", "trec", "txt", "parquet", "parq"])
def test_files_hold_what_was_saved(tmp_path: Path, suffix: str) -> None:
    qrels, run = str(tmp_path / f"qrels.{suffix}"), str(tmp_path / f"run.{suffix}")
    Qrels(QRELS).save(qrels)
    Run(RUN, name="mine").save(run)
    assert Qrels.from_file(qrels).to_dict() == QRELS
    assert Run.from_file(run).to_dict() == RUN
    assert Run.from_file(run).name == ("mine" if suffix in ("trec", "txt") else None)
    assert Run.from_file(run, name="other").name == "other"


def test_a_kind_that_is_asked_for_is_not_passed_over(tmp_path: Path) -> None:
    path = str(tmp_path / "qrels.txt")
    Qrels({"q1": {"a": 1}}).save(path)
    with pytest.raises(DataError, match="is not valid JSON"):
        Qrels.from_file(path, kind="json")
    with pytest.raises(DataError, match="is not valid JSON"):
        Run.from_file(path, kind="json")
    assert Qrels.from_file(path, kind="trec").to_dict() == {"q1": {"a": 1}}


@pytest.mark.parametrize(
    "records", [Qrels({"q 1": {"a": 1}}), Run({"q": {"a": 1}}, "my run"), Run({"q": {"a\tb": 1}}, "r")]
)
def test_no_trec_file_is_written_that_cannot_be_read(records: Any, tmp_path: Path) -> None:
    path = tmp_path / "saved.trec"
    with pytest.raises(DataError, match="is not a column of a TREC file, which blanks divide; save as JSON"):
        records.save(str(path))
    assert not path.exists()


def test_adding_reads_no_other_query_anew() -> None:
    run = Run({f"q{i}": {"a": 1.0} for i in range(3)})
    run.run["q1"]["b"] = math.nan  # would be refused when read
    run.add_score("q0", "c", 2)
    run.add("q00", ["d"], [1])
    assert list(run.keys()) == ["q0", "q00", "q1", "q2"]
    assert run["q0"] == {"c": 2.0, "a": 1.0}


def test_frames_of_any_library_are_read() -> None:
    frame = Run(RUN).to_dataframe()
    assert Run.from_df(frame, name="x").to_dict() == RUN
    renamed = pl.DataFrame(frame).rename({"q_id": "topic", "doc_id": "page", "score": "value"})
    assert Run.from_df(renamed, "topic", "page", "value").to_dict() == RUN
    assert Qrels.from_df(pd.DataFrame({"q_id": [1], "doc_id": [7], "score": [2]})).to_dict() == {"1": {"7": 2}}


def two_runs(**options: Any) -> ranx.Report:
    return compare(Qrels(QRELS), [Run(RUN, "x"), Run(RUN, "y")], "map", **options)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: evaluate(QRELS, RUN, "rbp"), "ranx has no metric named 'rbp'; its names are hits"),
        (lambda: evaluate(QRELS, RUN, "ndgc@5"), "ranx has no metric named 'ndgc@5'; did you mean 'ndcg'"),
        (lambda: evaluate(QRELS, RUN, []), "metrics is empty"),
        (lambda: evaluate(QRELS, RUN, "map-lx"), "ranx has no metric named 'map-lx'|rel"),
        (lambda: evaluate(QRELS, {**RUN, "q1": {"a": math.nan}}, "map"), "score of document 'a'.* is nan"),
        (lambda: Run.from_file("run.lz4"), "is a file of ranxhub; load it with ranx"),
        (lambda: Run.from_file("run.xyz"), "kind is 'xyz'; it must be one of json, trec, gz, parquet"),
        (lambda: Run(RUN).save("run.gz"), "kind is 'gz'; it must be json, trec or parquet"),
        (lambda: compare(Qrels(QRELS), [Run(RUN, "x"), Run(RUN, "x")], "map"), "two runs are called 'x'"),
        (lambda: compare(Qrels(QRELS), [Run(RUN)], "map", stat_test="fischer"), "stat_test is 'fischer'; did you mean"),
        (lambda: untyped(evaluate)(QRELS, RUN, "map-l-1"), "least relevant grade, 0 or more"),
        (lambda: untyped(evaluate)(QRELS, RUN, "bpref@3"), "bpref has no cutoff"),
        (lambda: untyped(evaluate)(QRELS, RUN, None), "metrics is None; it must be a name"),
        (lambda: untyped(evaluate)(QRELS, RUN, ["map", 3]), "metrics holds 3; each must be a name"),
        (lambda: untyped(evaluate)(None, RUN, "map"), "qrels is None; give a Qrels or a dict of dicts"),
        (
            lambda: untyped(compare)(Qrels(QRELS), [RUN, RUN], "map"),
            r"runs\[0\] is a dict; make it a Run, which has a name",
        ),
        (lambda: untyped(compare)(Qrels(QRELS), Run(RUN), "map"), "give a list of Run"),
        (lambda: untyped(compare)(Qrels(QRELS), [], "map"), "runs is empty"),
        (lambda: two_runs(max_p="a"), "max_p is 'a'; it must be a number from 0 to 1"),
        (lambda: two_runs(max_p=math.nan), "max_p is nan; it must be a number from 0 to 1"),
        (lambda: two_runs(rounding_digits=-1), "rounding_digits is -1; it must be a whole number of at least 0"),
        (lambda: two_runs(stat_test="tukey", n_permutations=0), "n_permutations is 0; it must be at least 1"),
        (lambda: two_runs(stat_test="tukey", random_seed="x"), "random_seed is 'x'; it must be a whole number"),
        (lambda: untyped(Run().add)("q", ["a", "b"], [1]), "query 'q' has 2 of doc_ids but 1 of scores"),
        (lambda: untyped(Run().add)("q", "ab", [1, 2]), "doc_ids is 'ab'; it must be a list"),
        (lambda: untyped(Run().add)("q", None, []), "doc_ids is None; it must be a list"),
        (lambda: untyped(Run().add_multi)(["q"], [["a"]], []), "1 q_ids, 1 lists of doc_ids and 0 lists of scores"),
        (lambda: untyped(Run)(RUN, name=3), "name is 3; it must be a text"),
        (lambda: untyped(Run(RUN).make_comparable)(None), "qrels is None"),
        (lambda: untyped(Run.from_file)(3), "path is 3; it must be the path of a file"),
        (lambda: Run.from_parquet("missing.parquet"), "missing.parquet: cannot be read as a Parquet file"),
        (lambda: Run.from_ranxhub("an-id"), "an-id: runs of ranxhub are loaded by ranx"),
        (lambda: Qrels.from_ir_datasets("no-such-set"), "ir_datasets"),
        (lambda: untyped(Qrels(QRELS).set_relevance_level)("x"), "rel_lvl is 'x'; it must be a whole number"),
    ],
)
def test_errors_say_what_to_do(call: Any, said: str) -> None:
    with pytest.raises(CertusError, match=said):
        call()


@pytest.mark.parametrize("name", ["fuse", "normalize", "optimize_fusion", "plot"])
def test_functions_that_are_not_here_are_named_in_the_error(name: str) -> None:
    with pytest.raises(ImportError, match=f"has no {name}: import it from ranx"):
        getattr(ranx, name)
    assert not hasattr(ranx, "fuze")


def test_reports_print_their_values_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    two_runs().print_results()
    assert json.loads(capsys.readouterr().out) == {"x": {"map": 0.75}, "y": {"map": 0.75}}


def test_judgments_of_ir_datasets_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        SimpleNamespace(query_id="q2", doc_id="b", relevance=1),
        SimpleNamespace(query_id="q1", doc_id="a", relevance=2),
    ]
    data = SimpleNamespace(has_qrels=lambda: True, qrels_iter=lambda: iter(rows))
    monkeypatch.setitem(sys.modules, "ir_datasets", SimpleNamespace(load=lambda _: data))
    found = Qrels.from_ir_datasets("a/set")
    assert found.to_dict() == {"q1": {"a": 2}, "q2": {"b": 1}}


def test_certus_takes_the_objects_themselves() -> None:
    assert certus.ranking.average_precision(Qrels(QRELS), Run(RUN)).value == 0.75


def test_no_name_of_a_metric_is_refused_as_of_another_type() -> None:
    with pytest.raises(MetricNameError):
        evaluate(QRELS, RUN, "")
