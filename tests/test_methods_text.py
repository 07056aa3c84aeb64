"""The methods paragraph of results, and `certus explain`."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import certus as command

import certus
from certus.comparison import Comparison, compare_values

QRELS = {f"q{i:02}": {"a": 1, "b": i % 3} for i in range(12)}
RUNS = {
    name: {f"q{i:02}": {"a": float((i + shift) % 4), "b": 1.5, "c": 2.25} for i in range(12)}
    for shift, name in enumerate(("bm25", "dense", "mix"))
}


def paragraph(result: Any) -> str:
    text: str = result.methods_text()
    return text.partition("\n")[0]


def test_a_table_names_systems_metrics_conventions_intervals_units_and_version() -> None:
    text = paragraph(certus.evaluate(QRELS, {"bm25": RUNS["bm25"], "mix": RUNS["mix"]}, ["nDCG@10"], interval="t"))
    assert text == (
        "The systems bm25 and mix were evaluated by nDCG@10 (Järvelin & Kekäläinen, 2002). The metrics have the "
        "conventions gain = linear, discount = log2, rel = 1 for nDCG@10. Means are over the queries that have both "
        "judgments and results; documents with equal scores were ordered by descending identifier, as in trec_eval; "
        "documents without a judgment were treated as not relevant. Confidence intervals (95%) of nDCG@10 are by the "
        "Student t method (Student, 1908), from 12 queries. All numbers were computed with certus "
        f"{certus.__version__}."
    )


def test_a_comparison_names_the_test_its_hypothesis_the_correction_and_the_level() -> None:
    text = paragraph(certus.compare(QRELS, RUNS, ["AP"], test="t", level=0.9))
    assert "The systems bm25, dense and mix were compared with each other on the same 12 queries by AP (" in text
    assert (
        "tested two-sided by the t test (Student, 1908), whose null hypothesis is that the true difference is 0" in text
    )
    assert "The p-values of the 3 pairs in each metric were adjusted by the Holm procedure (Holm, 1979), which " in text
    assert (
        "controls the familywise error rate. Differences are called significant if the adjusted p-value is at most 0.1"
        in text
    )
    against = paragraph(certus.compare(QRELS, RUNS, ["AP"], baseline="bm25", correction="none"))
    assert "The systems dense and mix were compared with bm25 on" in against
    assert "were not adjusted. Differences are called significant if the p-value is at most 0.05." in against


def test_no_sentence_has_two_methods_for_one_metric() -> None:
    truth = ["x"] * 7 + ["y"]
    text = paragraph(certus.evaluate(truth, ["x"] * 5 + ["y", "x", "y"], task="classification"))
    sentences = [part for part in text.split(". ") if part.startswith("Confidence intervals")]
    assert len(sentences) > 2
    names = [re.search(r"\(95%\) of (.*) are by", sentence) for sentence in sentences]
    listed = [name for match in names if match for name in re.split(r", (?![^(]*\))| and ", match[1])]
    assert len(listed) == len(set(listed)) > 10


def test_random_draws_have_their_seed() -> None:
    drawn = certus.evaluate(QRELS, RUNS["bm25"], ["AP"], interval="bca", seed=7)
    assert paragraph(drawn).endswith("with random draws from seed 7.")
    assert "by the BCa bootstrap (Efron, 1987;" in paragraph(drawn)
    exact = compare_values({"a": [1.0, 2, 3, 4, 5], "b": [2.0, 2, 5, 4, 8]}, "seconds", test="permutation")
    assert "seed" not in paragraph(exact)


def test_what_is_cited_has_one_entry_each_with_an_ascii_key() -> None:
    text = certus.evaluate(QRELS, RUNS["bm25"], ["nDCG@10", "nDCG@5", "AP"]).methods_text()
    entries = re.findall(r"@misc\{([a-z]+\d{4}[a-z]?),\n(.*?)\n\}", text, re.DOTALL)
    assert len(entries) == text.count("@misc") == len({key for key, _ in entries})
    fields = dict(entries)["jarvelin2002"]
    assert "author = {Järvelin and Kekäläinen}" in fields
    assert "year = {2002}" in fields
    assert "doi = {10.1145/582415.582418}" in fields
    cited = {year for _, year in re.findall(r"[(;] ?([^();]*?), (\d{4})", text.partition("\n")[0])}
    assert cited == {year for _, body in entries for year in re.findall(r"year = \{(\d+)\}", body)}


@pytest.mark.parametrize("name", ["table", "comparison"])
def test_explain_writes_what_the_result_itself_does(name: str, tmp_path: Path) -> None:
    results = {"table": certus.evaluate(QRELS, RUNS, ["AP"]), "comparison": certus.compare(QRELS, RUNS, ["AP"])}
    results[name].save(tmp_path / "x.json")
    done = command("explain", str(tmp_path / "x.json"))
    assert (done.returncode, done.stdout) == (0, results[name].methods_text())


def test_explain_of_anything_else_says_what_to_give(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"systems": 1}')
    done = command("explain", str(tmp_path / "x.json"))
    assert done.returncode == 3
    assert "x.json is not a result of certus evaluate or certus compare; give the JSON that one" in done.stderr


def test_a_comparison_read_back_is_explained_alike() -> None:
    values = {"a": np.arange(9.0), "b": np.arange(9.0)[::-1] + 0.5}
    comparison = compare_values(values, "seconds", better="lower", margin=2.0, bayesian=True)
    assert Comparison.from_json(comparison.to_json()).methods_text() == comparison.methods_text()
    assert "Differences of up to 2 were taken for equivalent" in comparison.methods_text()
