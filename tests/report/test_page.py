"""Reports as text: one file, nothing outside in it, text from the input only ever text."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from reported import HOSTILE, OTHER, QRELS, RUN, table_of

import certus
from certus import CertusError
from certus.cli.app import run
from certus.comparison import compare_values
from certus.core.readable import as_html
from certus.table import page as pages


class Elements(HTMLParser):
    """The tags of a document with their attributes, and its text."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture
def without_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "_library", lambda: "")


def held(document: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', document, re.S)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.mark.usefixtures("without_charts")
@pytest.mark.parametrize("make", [certus.Table.to_report, lambda table: table.to_html(full=True)])
def test_text_of_the_input_makes_no_element_and_no_attribute(make: Any) -> None:
    plain, hostile = (make(table_of(names)) for names in (("a", "b", "c", "d", "e"), HOSTILE))
    tags = {tag for tag, _ in Elements(plain).tags}
    assert {tag for tag, _ in Elements(hostile).tags} == tags
    assert not any(
        name.startswith("on") or name in ("src", "href") for _, own in Elements(hostile).tags for name in own
    )
    assert hostile.isascii()
    assert len(hostile) < 3 * len(plain)


@pytest.mark.usefixtures("without_charts")
def test_a_page_asks_no_address_for_anything() -> None:
    document = certus.evaluate(QRELS, {"one": RUN, "two": OTHER}, ["AP"], per_query=True).to_report()
    assert not re.findall(r"(https?:)?//[a-z]", document)
    assert "default-src 'none'" in document
    scripts = re.findall(r"<script>(.*?)</script>", document, re.S)
    assert len(scripts) == 1


@pytest.mark.usefixtures("without_charts")
def test_the_answer_of_a_table_names_the_best_system_of_each_metric() -> None:
    document = certus.evaluate(QRELS, {"one": RUN, "two": OTHER}, ["AP", "P@1"]).to_report()
    first = document.split("<main>")[0]
    assert re.search(r"AP: \w+ best with 0\.\d{4} \[", first)
    assert "pip install &#x27;certus[report]&#x27;" in document or "pip install 'certus[report]'" in document


@pytest.mark.usefixtures("without_charts")
def test_documents_of_a_query_show_their_rank_grade_and_ties() -> None:
    table = certus.evaluate(QRELS, {"one": RUN, "two": OTHER}, ["AP"], per_query=True)
    found = held(table.to_report())["documents"]["q0"]
    # equal scores: the greater id first
    assert found["0"] == [["x", None, 1], ["a", 1, 1], ["b", 0, 0], ["c", 2, 0]]
    assert [name for name, *_ in found["1"]] == ["c", "b", "a"]


@pytest.mark.usefixtures("without_charts")
def test_points_of_a_curve_have_the_counts_of_their_threshold() -> None:
    y_true, y_score = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    curves = held(certus.evaluate(y_true, {"m": {"y_score": y_score}}, ["AUC"]).to_report())["curves"]
    points = [row for row in curves["ROC"]["rows"] if row["part"] == "line"]
    assert [(p["true positives"], p["false positives"], p["threshold"]) for p in points] == [
        ("0", "0", "above all scores"),
        ("1", "0", "0.8"),
        ("1", "1", "0.4"),
        ("2", "1", "0.35"),
        ("2", "2", "0.1"),
    ]


@pytest.mark.usefixtures("without_charts")
def test_a_table_of_sorted_systems_keeps_curves_with_their_system() -> None:
    table = certus.evaluate(QRELS, {"worse": RUN, "better": OTHER}, ["AP"])
    one, other = (held(each.to_report()) for each in (table, table.sorted("AP")))
    for data in (one, other):
        line = {row["name"]: row["of"][0] for row in data["curves"]["Precision by recall"]["rows"]}
        assert all(data["systems"][position] == name for name, position in line.items())


@pytest.mark.usefixtures("without_charts")
def test_a_comparison_says_its_findings_first_and_every_difference() -> None:
    rng = np.random.default_rng(1)
    base = rng.random(40)
    found = compare_values({"base": base, "more": base + 0.1, "same": base + rng.normal(0, 0.1, 40)}, "AP")
    document = found.to_report(command="certus compare x")
    assert all(document.index(as_html(said)) < document.index("<main>") for said in found.sentences())
    assert found.sentences()
    assert "certus compare x" in document
    assert [row["value"] for row in held(document)["differences"]] == [row.difference for row in found]
    assert len(held(document)["units"]["ids"]) == 40


def test_a_layout_is_not_for_the_whole_page() -> None:
    with pytest.raises(CertusError, match="layout is for tables alone; leave it out of the full page"):
        table_of(("a", "b")).to_html(layout="rows", full=True)


@pytest.mark.usefixtures("without_charts")
def test_a_file_gets_the_page_and_the_format_html_tables_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, out = tmp_path / "qrels", tmp_path / "report.html"
    one, two = tmp_path / "one", tmp_path / "two"
    qrels.write_text("".join(f"q{i} 0 a 1\nq{i} 0 b 0\n" for i in range(9)))
    one.write_text("".join(f"q{i} Q0 a 1 2 t\nq{i} Q0 b 2 1 t\n" for i in range(9)))
    two.write_text("".join(f"q{i} Q0 {'ab'[i % 2]} 1 2 t\nq{i} Q0 z 2 1 t\n" for i in range(9)))
    files = [str(qrels), str(one), str(two)]
    force: list[str] = []
    for command in ("evaluate", "compare"):
        assert run([command, *files, "-m", "AP", "-o", str(out), *force]) == 0
        force = ["--force"]
        document = out.read_text()
        assert document.startswith("<!doctype html>")
        assert f"certus {command} {files[0]}" in document
        assert held(document)["units"]["ids"] == [f"q{i}" for i in range(9)]
        assert held(document)["documents"]["q1"]["1"] == [["b", 0, 0], ["z", None, 0]]
    assert run(["evaluate", *files, "-m", "AP", "--format", "html"]) == 0
    assert capsys.readouterr().out.startswith("<table>")


@pytest.mark.usefixtures("without_charts")
def test_the_answer_of_subgroups_is_the_lowest_and_the_highest() -> None:
    y_true, y_pred = [0, 0, 1, 1] * 3, [0, 0, 1, 0] + [0, 0, 1, 1] * 2
    table = certus.evaluate(y_true, y_pred, ["Accuracy"], by=["a"] * 4 + ["b"] * 4 + ["c"] * 4)
    first = table.to_report().split("<main>")[0]
    assert re.search(r"Accuracy: from 0\.7500 \[[^]]*\] \(a\) to 1\.0000 \[[^]]*\] \([bc]\)\.", first)


@pytest.mark.usefixtures("without_charts")
def test_predicted_labels_show_their_confusion_matrix() -> None:
    true = ["a", "b", "<c>", "a", "b", "a"]
    systems = {"one": ["a", "b", "a", "b", "b", "a"], "two": ["a", "a", "<c>", "a", "b", "<c>"]}
    document = certus.evaluate(true, systems, ["Accuracy"], task="classification").to_report()
    section = document.split("<h2>Confusion matrix</h2>")[1].split("</section>")[0]
    cells = re.findall(r"<t[hd](?: [^>]*)?>([^<]*)", section)
    heads = "true \\ predicted &lt;c&gt; a b all recall"
    one = "&lt;c&gt; 0 1 0 1 0.0000 a 0 2 1 3 0.6667 b 0 0 2 2 1.0000"
    two = "&lt;c&gt; 1 0 0 1 1.0000 a 1 2 0 3 0.6667 b 0 1 1 2 0.5000"
    assert " ".join(cells) == f"{heads} {one} {heads} {two}"


@pytest.mark.usefixtures("without_charts")
def test_a_confusion_matrix_of_many_classes_is_left_out() -> None:
    true = [f"c{i}" for i in range(31)] * 2
    document = certus.evaluate(true, true, ["Accuracy"], task="classification").to_report()
    assert "Confusion matrix" not in document
