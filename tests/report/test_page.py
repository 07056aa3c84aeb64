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
    monkeypatch.setattr(pages, "_has_charts", lambda: False)


def held(document: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', document, re.S)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.mark.usefixtures("without_charts")
def test_text_of_the_input_makes_no_element_and_no_attribute() -> None:
    plain, hostile = (table_of(names).to_report() for names in (("a", "b", "c", "d", "e"), HOSTILE))
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
    assert re.search(r"<h1>\w+ has the best AP: 0\.\d{4} \[", first)
    assert re.search(r"<b>AP</b> \w+ best with 0\.\d{4} \[", first)
    assert "pip install 'certus[plot]'" in document


def documents_of(data: dict[str, Any], query: str, system: str) -> list[tuple[str, str, bool]]:
    """Name, grade (empty: not judged) and whether tied of each document, as the page keeps them."""
    names: list[str] = []
    for shared, rest in zip(data["documents"]["names"][::2], data["documents"]["names"][1::2], strict=True):
        names.append((names[-1][:shared] if names else "") + rest)
    numbers, grades, lists = data["documents"]["queries"][query]
    return [(names[numbers[index]], grades.split(",")[index], index < 0) for index in lists[system]]


@pytest.mark.usefixtures("without_charts")
def test_documents_of_a_query_show_their_rank_grade_and_ties() -> None:
    table = certus.evaluate(QRELS, {"one": RUN, "two": OTHER}, ["AP"], per_query=True)
    data = held(table.to_report())
    # equal scores: the greater id first
    assert documents_of(data, "q0", "0") == [("x", "", True), ("a", "1", True), ("b", "0", False), ("c", "2", False)]
    assert [name for name, *_ in documents_of(data, "q0", "1")] == ["c", "b", "a"]


@pytest.mark.usefixtures("without_charts")
def test_thresholds_have_their_counts() -> None:
    y_true, y_score = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    counts = held(certus.evaluate(y_true, {"m": {"y_score": y_score}}, ["AUC"]).to_report())["counts"]["0"]
    assert counts["thresholds"] == ["above all scores", "0.8", "0.4", "0.35", "0.1"]
    assert list(zip(counts["true"], counts["false"], strict=True)) == [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)]
    assert (counts["positives"], counts["negatives"], counts["of"]) == (2, 2, 5)


@pytest.mark.usefixtures("without_charts")
def test_a_table_of_sorted_systems_keeps_curves_with_their_system() -> None:
    table = certus.evaluate(QRELS, {"worse": RUN, "better": OTHER}, ["AP"])
    levels = {}
    for each in (table, table.sorted("AP")):
        block = each.to_report().split('<section id="precision-by-recall">')[1]
        head = re.findall(r"<th scope=\"col\">([^<]*)", block)[1:]
        first = re.findall(r"<td>([^<\[]*)", block.split("<tbody>")[1])[: len(head)]
        levels[each] = dict(zip(head, first, strict=True))
    one, other = levels.values()
    assert one == other
    assert set(one) == {"worse", "better"}


@pytest.mark.usefixtures("without_charts")
def test_a_comparison_says_its_findings_first_and_every_difference() -> None:
    rng = np.random.default_rng(1)
    base = rng.random(40)
    found = compare_values({"base": base, "more": base + 0.1, "same": base + rng.normal(0, 0.1, 40)}, "AP")
    document = found.to_report(command="certus compare x")
    first, rest = document.split("<main>")
    for sentence in found.sentences():
        metric, _, finding = sentence.partition(": ")
        assert f"<b>{metric}</b> {as_html(finding)}" in first
    assert found.sentences()
    assert "certus compare x" in rest
    assert all(f">{row.difference:+.4f}<" in rest for row in found)
    assert len(held(document)["units"]["ids"]) == 40


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
        assert documents_of(held(document), "q1", "1") == [("b", "0", False), ("z", "", False)]
    assert run(["evaluate", *files, "-m", "AP", "--format", "html"]) == 0
    assert capsys.readouterr().out.startswith("<table>")


@pytest.mark.usefixtures("without_charts")
def test_the_answer_of_subgroups_is_the_lowest_and_the_highest() -> None:
    y_true, y_pred = [0, 0, 1, 1] * 3, [0, 0, 1, 0] + [0, 0, 1, 1] * 2
    table = certus.evaluate(y_true, y_pred, ["Accuracy"], by=["a"] * 4 + ["b"] * 4 + ["c"] * 4)
    first = table.to_report().split("<main>")[0]
    assert re.search(r"<h1>Accuracy: from 0\.7500 \[[^]]*\] \(a\) to 1\.0000 \[[^]]*\] \([bc]\)</h1>", first)


@pytest.mark.usefixtures("without_charts")
def test_only_a_metric_with_a_direction_has_a_worst_subgroup() -> None:
    y_true, y_pred = [0, 0, 1, 0] + [0, 0, 1, 1] * 2, [0, 0, 1, 1] * 3
    table = certus.evaluate(y_true, y_pred, ["Accuracy", "Prevalence"], by=["a"] * 4 + ["b"] * 4 + ["c"] * 4)
    _, accuracy, prevalence = table.to_report().split('<div class="card">')
    assert "worst: a" in accuracy
    assert "least: a" in prevalence
    assert "worst" not in prevalence.split("</section>")[0]


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


@pytest.mark.parametrize(
    ("values", "options", "title"),
    [
        ({"a": 0.0, "b": 0.5}, {}, "b is significantly better than a in AP (p &lt; 0.0001)"),
        ({"a": 0.0, "b": 0.5, "c": 0.01}, {}, "b is significantly better than both others in AP (p &lt; 0.0001, Holm)"),
        ({"a": 0.0, "b": 0.001}, {}, "No significant difference between b and a in AP (p = "),
        ({"a": 0.0, "b": 0.001}, {"margin": 0.3}, "b and a are tied in AP within the margin of 0.3"),
        ({"a": 0.0, "b": 0.001, "c": 0}, {}, "No significant difference between 3 systems in AP (least p = "),
        (
            {"a": 0.0, "b": 0.5, "c": 0.5},
            {},
            "c is significantly better than a in AP (p &lt; 0.0001, Holm)",
        ),
        (
            {"a": 0.0, "b": 0.5, "c": -0.5},
            {"baseline": "a"},
            "Of 2 systems 1 significantly better and 1 significantly worse than a",
        ),
        (
            {"a": 0.0, "b": 0.5, "c": 0.01},
            {"baseline": "a"},
            "b is significantly better than a in AP (p &lt; 0.0001, Holm)",
        ),
        ({"a": 0.0, "b": -0.5}, {"alternative": "greater"}, "b is not shown to be above a in AP (p = 1.0000)"),
    ],
)
@pytest.mark.usefixtures("without_charts")
def test_the_title_of_a_comparison_is_its_finding(values: dict[str, float], options: Any, title: str) -> None:
    rng = np.random.default_rng(5)
    scores = {name: shift + rng.normal(0, 0.1, 60) for name, shift in values.items()}
    document = compare_values(scores, "AP", better="higher", test="t", **options).to_report()
    assert document.split("<h1>")[1].startswith(title), document.split("<h1>")[1][:120]


def test_three_runs_of_400_queries_and_a_classifier_of_1500_samples_fit_into_400_kilobytes() -> None:
    rng = np.random.default_rng(6)
    queries = [f"q{index}" for index in range(400)]
    names = [f"document-{index:06d}" for index in range(4000)]
    pools = {query: rng.choice(names, 60, replace=False).tolist() for query in queries}
    qrels = {query: dict(zip(pool[:20], rng.integers(0, 3, 20).tolist(), strict=True)) for query, pool in pools.items()}
    runs = {
        system: {query: dict(zip(pool, rng.random(60).tolist(), strict=True)) for query, pool in pools.items()}
        for system in ("one", "two", "three")
    }
    y_true = rng.integers(0, 2, 1500)
    y_score = 1 / (1 + np.exp(rng.normal(0, 1, 1500) - 2 * y_true))
    for document in (
        certus.evaluate(qrels, runs, ["nDCG@10", "AP", "RR", "P@10", "R@1000"], per_query=True).to_report(),
        certus.compare(qrels, runs, ["nDCG@10", "AP"], test="t").to_report(),
        certus.evaluate(y_true, {"m": {"y_score": y_score}}).to_report(),
    ):
        assert "<svg class=" in document
        assert len(document) <= 400_000


def test_charts_have_the_numbers_of_the_table_in_colors_of_the_page() -> None:
    table = certus.evaluate([0, 0, 1, 1, 1], {"<m>": {"y_score": [0.1, 0.6, 0.4, 0.8, 0.9]}}, ["AUC", "Brier"])
    document = table.to_report()
    chart = re.findall(r'<svg class="w740".*?</svg>', document, re.S)[0]
    assert re.findall(r"<text [^>]*>([^<]* \[[^<]*)</text>", chart) == [
        f"{row.value:.4f} [{row.low:.4f}, {row.high:.4f}]" for row in table.rows
    ]
    assert not re.search(r"#[0-9a-f]{6}|font-family", chart)
    assert "var(--text)" in chart


def test_the_same_report_is_written_twice() -> None:
    table = certus.evaluate(QRELS, {"one": RUN, "two": OTHER}, ["AP", "P@1"], per_query=True)
    assert table.to_report() == table.to_report()
