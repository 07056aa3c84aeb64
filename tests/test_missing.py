"""Words for a missing value among labels are warned of."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import certus
from certus.cli import app
from certus.comparison import compare_values
from certus.core.missing import WORDS, notice_of_words
from certus.states._batch import Field
from certus.states._samples import systems_of
from certus.testing import assert_not_worse


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


TRUE, GOOD = ["a", "b", "a", "b", "a", "b"], ["a", "b", "a", "b", "b", "a"]
COLUMN = ["u", "NA", "u", "v", "null", "NA"]
WARNED = "(3 in {}) are words that usually mean a missing value; they count as {} unless missing_values= names them"


def words_of(found: Any) -> list[str]:
    notices = getattr(found, "warnings", None) or found.notices
    return [each.text for each in notices if each.kind == "missing-words"]


def test_groups_subgroups_clusters_and_ids_are_warned_of_with_count_and_column() -> None:
    values = [0.5, 0.25, 0.75, 0.5, 0.25, 1.0]
    systems = {"x": TRUE, "y": GOOD}
    for nouns, name, found in (
        ("groups", "groups", certus.evaluate(TRUE, GOOD, ["Accuracy"], groups=COLUMN)),
        ("subgroups", "by", certus.evaluate(TRUE, GOOD, ["Accuracy"], by=COLUMN)),
        ("subgroups", "by", certus.evaluate(values, values, ["MAE"], by=COLUMN, task="regression")),
        ("groups", "groups", certus.evaluate(values, values, ["MAE"], groups=COLUMN, task="regression")),
        ("clusters", "labels_pred", certus.evaluate(TRUE, COLUMN, ["ARI"], task="clustering")),
        ("classes", "labels_true", certus.evaluate(COLUMN, TRUE, ["ARI"], task="clustering")),
        ("ids", "ids", certus.evaluate(values, None, ["Mean"], ids=COLUMN, task="values")),
        ("groups", "groups", certus.compare(TRUE, systems, ["Accuracy"], groups=COLUMN)),
        ("groups", "groups", compare_values({"x": values, "y": values[::-1]}, groups=COLUMN)),
    ):
        (text,) = words_of(found)
        assert text == f"3 values {WARNED.format(name, nouns)}"


def test_queries_items_and_names_of_labels_are_warned_of() -> None:
    qrels = {query: {"a": 1} for query in ("NA", "q1", "None")}
    runs = {name: {query: {name: 1.0} for query in qrels} for name in ("a", "b")}
    for found in (certus.evaluate(qrels, runs["a"], ["AP"]), certus.compare(qrels, runs, ["AP"])):
        (text,) = words_of(found)
        assert text.startswith("2 query ids (2 in the qrels) are words that usually mean a missing value")
    groups = {"NA": "x", "q1": "null", "None": "x"}
    assert words_of(certus.compare(qrels, runs, ["AP"], groups=groups))[1].startswith("1 value (1 in groups)")
    table = pd.DataFrame({"news": [1, 0, 1], "null": [0, 1, 1]})
    (text,) = words_of(certus.evaluate(table, table, ["F1(average='macro')"], task="multilabel"))
    assert text.startswith("1 name (1 in the columns of y_true) is a word that usually means a missing value")
    values = {name: {"1": 0.5, "NA": value, "3": 0.25} for name, value in (("x", 0.5), ("y", 1.0))}
    (text,) = words_of(compare_values(values))
    assert text.startswith("1 value (1 in values) is a word")


def test_a_state_warns_as_the_whole_table_does() -> None:
    state = certus.State(["Accuracy"], task="classification")
    for some in (slice(0, 3), slice(3, 6)):
        state.update(TRUE[some], pred=GOOD[some], groups=COLUMN[some])
    assert words_of(state.evaluate()) == words_of(certus.evaluate(TRUE, GOOD, ["Accuracy"], groups=COLUMN))


def test_subgroups_in_a_file_are_warned_of_as_those_in_memory() -> None:
    rng = np.random.default_rng(0)
    n = 4000
    columns = {"pred": rng.random(n) < 0.5, "score": rng.random(n), "by": np.array(COLUMN)[rng.integers(0, 6, n)]}
    states = [certus.State(["AUC"], memory=memory) for memory in (None, 300_000)]
    for state in states:
        for _ in range(20):
            state.update(columns["pred"].astype(int), score=columns["score"], by=columns["by"])
    assert isinstance(systems_of(states[1], None)[1], Field)
    texts = [words_of(state.evaluate()) for state in states]
    assert texts[0] == texts[1]
    assert "are words that usually mean a missing value; they count as subgroups" in texts[0][0]


def test_states_scorers_and_assertions_refuse_what_is_said_to_be_missing() -> None:
    said = r"is 'NA' \(missing by missing_values\) at index 1"
    for name in ("groups", "by"):
        state = certus.State(["Accuracy"], missing_values="NA")
        with pytest.raises(certus.DataError, match=said):
            state.update(TRUE, pred=GOOD, **{name: COLUMN})
        assert len(state) == 0
        state.update(TRUE, pred=GOOD, **{name: TRUE})
    state = certus.State(["AP"], task="ranking", missing_values=["NA"])
    with pytest.raises(certus.DataError, match=r"has the query 'NA' .missing by missing_values."):
        state.update({"q1": {"a": 1}, "NA": {"a": 1}}, {"q1": {"a": 1.0}})
    made = certus.scorer("accuracy", missing_values=["NA"])
    assert "missing_values=['NA']" in repr(made)
    assert made != certus.scorer("accuracy")
    with pytest.raises(certus.DataError, match=said):
        made(Constant(), COLUMN, COLUMN)
    assert made(Constant(), TRUE, TRUE) == 0.5
    with pytest.raises(certus.DataError, match=said):
        assert_not_worse(GOOD, TRUE, "Accuracy", y_true=COLUMN, missing_values=["NA"])
    with pytest.raises(certus.DataError, match=r"groups " + said):
        assert_not_worse([1, 0] * 3, [0, 1] * 3, groups=COLUMN, missing_values=["NA"])


class Constant:
    """An estimator that always says a."""

    def predict(self, rows: Any) -> list[str]:
        return ["a"] * len(rows)


def test_columns_of_labels_named_by_a_missing_value_are_refused() -> None:
    table = pd.DataFrame({"news": [1, 0, 1], "null": [0, 1, 1]})
    ask = {"task": "multilabel", "missing_values": ["null"]}
    with pytest.raises(certus.DataError, match=r"y_true has a column named 'null' .missing by missing_values.;"):
        certus.evaluate(table, table, ["F1(average='macro')"], **ask)  # type: ignore[arg-type]


SHAPES: dict[str, Callable[[list[str]], Any]] = {
    "list": list,
    "tuple": tuple,
    "numpy": np.array,
    "objects": lambda each: np.array(each, dtype=object),
    "pandas": pd.Series,
    "categorical": lambda each: pd.Series(each, dtype="category"),
    "polars": lambda each: pl.Series(each),
    "arrow": pa.array,
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("words", ["NA", ["NA", "none"], ("NA",)])
def test_what_is_said_to_be_missing_is_refused_in_every_column(shape: str, words: Any) -> None:
    made = SHAPES[shape]
    column = made(COLUMN)
    calls: dict[str, Callable[[], Any]] = {
        "y_true": lambda: certus.evaluate(column, made(GOOD), ["Accuracy"], missing_values=words),
        "y_pred": lambda: certus.evaluate(made(GOOD), column, ["Accuracy"], missing_values=words),
        "groups": lambda: certus.evaluate(made(TRUE), made(GOOD), ["Accuracy"], groups=column, missing_values=words),
        "by": lambda: certus.evaluate(made(TRUE), made(GOOD), ["Accuracy"], by=column, missing_values=words),
        "labels_pred": lambda: certus.evaluate(made(TRUE), column, ["ARI"], task="clustering", missing_values=words),
    }
    for name, call in calls.items():
        with pytest.raises(
            certus.DataError, match=rf"(^|: ){name} is 'NA' \(missing by missing_values\) at index 1; leave"
        ):
            call()


def test_numbers_can_mean_a_missing_label() -> None:
    said = r"y_true is -1 \(missing by missing_values\) at index 2"
    for truth in ([0, 1, -1], np.array([0.0, 1.0, -1.0])):
        with pytest.raises(certus.DataError, match=said):
            certus.evaluate(truth, {"m": {"y_score": [0.5, 0.25, 0.75]}}, ["AUC"], missing_values="-1")


def test_queries_and_units_that_are_said_to_be_missing_are_refused() -> None:
    qrels = {"q1": {"a": 1}, "NA": {"a": 1}}
    runs = {name: {query: {name: 1.0} for query in qrels} for name in ("a", "b")}
    with pytest.raises(certus.DataError, match=r"has the query 'NA' .missing by missing_values.; leave out"):
        certus.evaluate(qrels, runs["a"], ["AP"], missing_values=["NA"])
    with pytest.raises(certus.DataError, match=r"has the query 'NA'"):
        certus.compare(qrels, runs, ["AP"], missing_values=["NA"])
    with pytest.raises(certus.DataError, match=r"^groups is 'NA'"):
        compare_values({"x": [0.5, 0.25], "y": [0.5, 1]}, groups=["NA", "u"], missing_values="NA")


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet"])
def test_every_reader_says_where_it_stands(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [dict(zip("ypg", each, strict=True)) for each in zip(TRUE, GOOD, COLUMN, strict=True)]
    name = f"t.{suffix}"
    if suffix == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), name)
    elif suffix == "jsonl":
        Path(name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    else:
        pd.DataFrame(rows).to_csv(name, sep="," if suffix == "csv" else "\t", index=False)
    location = {"jsonl": f"{name}:2:", "parquet": f"{name}: row 1 of"}.get(suffix, f"{name}:3:")
    line = ["evaluate", name, "--truth", "y", "--pred", "p", "-m", "Accuracy"]
    for option in ("--groups", "--by"):
        assert app.run([*line, option, "g", "--missing-values", "NA,N/A"]) == 3
        err = capsys.readouterr().err
        assert err == (
            f"certus: {location} column 'g' is 'NA' (missing by --missing-values); "
            "leave out or fill such samples first\n"
        )
        assert app.run([*line, option, "g", "--missing-values", "none"]) == 0
        assert f"(3 in {option}) are words that usually mean" in " ".join(capsys.readouterr().err.split())
    assert app.run([*line, "--groups", "g", "--memory", "10MB", "--missing-values", "null"]) == 3
    assert "'g' is 'null' (missing by --missing-values)" in capsys.readouterr().err


def test_words_without_anything_to_look_at_are_refused() -> None:
    with pytest.raises(certus.MetricNameError, match=r"^missing_values has no meaning here, where no labels, groups"):
        certus.evaluate([0.5, 1.0], [0.5, 0.75], ["MAE"], task="regression", missing_values="NA")
    with pytest.raises(certus.MetricNameError, match=r"^missing_values has no meaning here"):
        compare_values({"x": [0.5, 0.25], "y": [0.5, 1.0]}, missing_values="NA")
    wrongs: list[Any] = ["", [], [""], [1]]
    for wrong in wrongs:
        with pytest.raises(certus.DataError, match=r"^missing_values is .*; give words, such as 'NA'"):
            certus.evaluate(TRUE, GOOD, ["Accuracy"], missing_values=wrong)
