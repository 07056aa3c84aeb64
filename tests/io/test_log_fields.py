"""Fields of items in results of evaluation tools: topics, groups and other columns."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tool_results import INSPECT, LM_EVAL, read, write

import certus
from certus.cli import app


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def inspect_log(name: str, topics: dict[str, Any], epochs: int = 1) -> str:
    """The JSON log of Inspect, its samples tried several times and with a topic for each in their metadata."""
    log = json.loads((INSPECT / "one-epoch.json").read_text())
    log["samples"] = [
        {**sample, "epoch": epoch, "metadata": {"topic": topics[str(sample["id"])], "tags": ["x"]}}
        for sample in log["samples"]
        for epoch in range(1, epochs + 1)
    ]
    log["results"]["total_samples"] = len(log["samples"])
    return write(name, log)


def topics_of(*topics: Any) -> dict[str, Any]:
    samples = json.loads((INSPECT / "one-epoch.json").read_text())["samples"]
    return dict(zip((str(sample["id"]) for sample in samples), topics, strict=True))


class TestFieldsOfItems:
    """``--groups`` and ``--by`` name a field of the items, within objects by a path."""

    def test_groups_of_samples_are_clusters(self, capsys: pytest.CaptureFixture[str]) -> None:
        file = inspect_log("grouped.json", topics_of("a", "a", "b", "c"), epochs=2)
        assert app.run(["evaluate", file, "-m", "exact", "--groups", "metadata.topic", "--format", "json"]) == 0
        (row,) = json.loads(capsys.readouterr().out)["rows"]
        values = next(each for each in read(file).scores if each.metric == "exact").values[::2]
        expected = certus.values.mean(values, groups=["a", "a", "b", "c"])
        assert (row["value"], row["n"], row["unit"]) == (expected.value, 3, "group")
        assert (row["low"], row["high"]) == tuple(expected.interval())[:2]
        assert certus.evaluate(file, groups="metadata.topic").rows[0].low == row["low"]

    def test_subgroups_have_rows_of_their_own(self, capsys: pytest.CaptureFixture[str]) -> None:
        file = inspect_log("by.json", topics_of("x", "y", "x", "y"), epochs=2)
        assert app.run(["evaluate", file, "-m", "exact", "--by", "metadata.topic", "--format", "json"]) == 0
        rows = {row["group"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
        values = next(each for each in read(file).scores if each.metric == "exact").values[::2]
        assert rows["x"]["value"] == values[::2].mean()
        assert rows["y"]["value"] == values[1::2].mean()
        assert (rows["x"]["n"], rows["x"]["unit"]) == (2, "item")
        assert [row.group for row in certus.evaluate(file, metrics="exact", by="metadata.topic")][:2] == ["x", "y"]

    def test_the_mean_over_subgroups_is_that_of_their_rows(self, capsys: pytest.CaptureFixture[str]) -> None:
        file = inspect_log("mean.json", topics_of("x", "y", "x", "z"), epochs=2)
        asked = ["evaluate", file, "-m", "exact", "--by", "metadata.topic", "--subgroup-mean"]
        for kind, weights in (("random", [1, 1, 1]), ("random-weighted", [2, 1, 1])):
            assert app.run([*asked, kind, "--format", "json"]) == 0
            found = json.loads(capsys.readouterr().out)
            values = [row["value"] for row in found["rows"] if row.get("group") is not None]
            (mean,) = [row for row in found["rows"] if "mean of" in (row.get("among") or "")]
            assert mean["value"] == pytest.approx(np.average(values, weights=weights), rel=1e-14)
            assert (mean["n"], mean["unit"], found["signature"]["subgroup_mean"]) == (3, "subgroup", kind)
        assert app.run(["evaluate", file, "--subgroup-mean", "random"]) == 2
        assert "--subgroup-mean needs subgroups; give --by" in capsys.readouterr().err

    def test_comparisons_take_groups(self, capsys: pytest.CaptureFixture[str]) -> None:
        for name in "ab":
            Path(name).mkdir()
        write("a/samples_t.jsonl", LM_EVAL)
        write("b/samples_t.jsonl", [{**each, "exact_match": 0.0} for each in LM_EVAL])
        files = ["a/samples_t.jsonl", "b/samples_t.jsonl"]
        assert app.run(["compare", *files, "--groups", "doc.question", "--format", "json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert {row["unit"] for row in found["rows"]} == {"group"}
        assert found["signature"]["columns"] == {"groups": "doc.question"}
        assert certus.compare(None, files, groups="doc.question").rows[0].n == found["rows"][0]["n"]

    def test_instances_of_swe_bench_have_their_repository(self) -> None:
        parts = {"unresolved_ids": ["django__django-2"], "incomplete_ids": [], "empty_patch_ids": [], "error_ids": []}
        file = write("x.run.json", {"total_instances": 2, "resolved_ids": ["sympy__sympy-1"], **parts})
        assert read(file).field("repo") == {"sympy__sympy-1": "sympy__sympy", "django__django-2": "django__django"}

    @pytest.mark.parametrize(
        ("field", "said"),
        [
            ("metadata.topik", "has no field 'metadata.topik' ({option}); did you mean 'metadata.topic'"),
            ("metadata.tags", "has a list, not one value, as 'metadata.tags' ({option})"),
            ("metadata", "has a dict, not one value, as 'metadata' ({option})"),
            ("epoch", "has both 1 and 2 as 'epoch' ({option})"),
        ],
    )
    @pytest.mark.parametrize("option", ["--groups", "--by"])
    def test_fields_that_are_none_are_refused(
        self, field: str, said: str, option: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = inspect_log("log.json", topics_of("a", "a", "b", "b"), epochs=2)
        assert app.run(["evaluate", file, option, field]) == 3
        assert said.format(option=option) in capsys.readouterr().err

    def test_a_field_that_an_item_lacks_is_an_error(self, capsys: pytest.CaptureFixture[str]) -> None:
        file = inspect_log("log.json", topics_of("a", None, "b", "b"))
        assert app.run(["compare", file, str(INSPECT / "two-epochs.eval"), "--groups", "metadata.topic"]) == 3
        assert "has no field 'metadata.topic' (--groups)" in capsys.readouterr().err
