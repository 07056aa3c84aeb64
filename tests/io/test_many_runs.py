"""Several runs in a file, a DataFrame, a folder or a pattern."""

import json
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from ranking_files import (
    MANY,
    QRELS,
    RUN,
    trec,
)
from reader_files import Put

import certus
from certus.cli import app
from certus.core import kernels
from certus.io import as_run, read_runs
from certus.io.rankings import as_runs


class TestManyRuns:
    """Several runs in a file, a DataFrame, a folder or a pattern."""

    @pytest.mark.parametrize("column", ["run", "run_id", "tag", "system", "name"])
    def test_a_column_of_runs_makes_a_run_of_each(self, column: str, put: Put) -> None:
        path = put(MANY.replace("run,", f"{column},", 1))
        expected = {"bm25": {"1": {"a": 2.0}, "007": {"c": 1.0}}, "dpr": {"1": {"x": 3.0, "a": 2.0}, "007": {"c": 9.0}}}
        assert {name: run.to_dict() for name, run in read_runs(path).items()} == expected
        frame = pl.read_csv(path, schema_overrides={"qid": pl.String})
        assert {name: run.to_dict() for name, run in as_runs(frame).items()} == expected
        for data in (path, frame, [frame], str(path)):
            table = certus.evaluate(QRELS, data, "RR")
            assert [(row.run, row.value) for row in table] == [("bm25", 1.0), ("dpr", 0.75)]
        comparison = certus.compare(QRELS, path, "RR")
        assert [(row.system, row.baseline) for row in comparison] == [("dpr", "bm25")]
        inputs = certus.evaluate(QRELS, path, "RR").signature["inputs"]
        assert [name for name in inputs if name != "qrels"] == [f"{path} (bm25)", f"{path} (dpr)"]

    @pytest.mark.parametrize("column", ["name", "tag", "Name"])
    @pytest.mark.parametrize("values", [["Title A", "Title B", "Title A"], ["news", "news", "sports"]])
    def test_a_column_that_may_be_of_the_documents_is_asked_about(
        self, column: str, values: list[str], put: Put
    ) -> None:
        frame = pd.DataFrame({"qid": ["1", "1", "2"], "docno": ["a", "b", "a"], "score": [3, 2, 1.0], column: values})
        for data, location in ((frame, r"run: row \d"), (put(frame.to_csv(index=False)), r"in:\d")):
            for read in (as_runs, lambda data: certus.evaluate(QRELS, data, "AP")):
                with pytest.raises(certus.DataError, match=rf"{location}.*call the column run if it names runs"):
                    read(data)
        assert as_run(frame.drop(columns=column)).to_dict() == {"1": {"a": 3.0, "b": 2.0}, "2": {"a": 1.0}}
        for runs in (as_runs(frame, run=column), as_runs(frame.rename(columns={column: "run"}))):
            assert list(runs) == list(dict.fromkeys(values))
        one = frame.assign(**{column: "bm25"})
        assert (as_run(one).tag, len(as_run(one))) == ("bm25", 3)

    def test_the_start_of_each_run_is_read_once_for_its_format(self, monkeypatch: pytest.MonkeyPatch, put: Put) -> None:
        read_start, starts = kernels.read_start, list[str]()

        def counted(path: Path, name: str, length: int) -> bytes:
            starts.append(name)
            return read_start(path, name, length)

        monkeypatch.setattr(kernels, "read_start", counted)
        runs = [put(trec(RUN, "score"), "a.run"), put(json.dumps({"1": {"a": 2.0}}), "b.run"), put(MANY, "c.csv")]
        for call in (certus.evaluate, certus.compare):
            starts.clear()
            call(QRELS, runs, "AP")
            assert starts == list(map(str, runs))

    def test_a_title_beside_a_document_that_stands_twice_makes_no_runs(self) -> None:
        rows = {"qid": ["1", "1", "1"], "docno": ["a", "a", "b"], "score": [3, 2, 1.0], "name": ["A", "B", "C"]}
        with pytest.raises(certus.DataError, match="row 2 of column 'name' is 'C', one of 3 values that may name runs"):
            as_runs(pd.DataFrame(rows))

    def test_one_run_is_asked_for_and_several_are_there(self, put: Put) -> None:
        path = put(MANY)
        with pytest.raises(certus.DataError, match=r"in: holds 2 runs \('bm25', 'dpr'\)"):
            certus.read_run(path)
        with pytest.raises(certus.DataError, match="run 'mine' holds 2 runs"):
            certus.evaluate(QRELS, {"mine": path}, "AP")
        with pytest.raises(certus.DataError, match="two runs are named 'bm25'"):
            certus.evaluate(QRELS, [path, pd.read_csv(path)], "AP")

    def test_a_document_twice_in_one_run_is_refused_and_in_two_runs_is_fine(self, put: Put) -> None:
        with pytest.raises(
            certus.DataError, match=r"in:7: column 'docno' names .* document 'a' appears twice for query '1'"
        ):
            read_runs(put(MANY + "bm25,1,a,7\n"))

    def test_the_name_of_the_only_run_is_its_tag(self, put: Put) -> None:
        run = certus.read_run(put("run,qid,docno,score\nbm25,1,a,2\n"))
        assert (run.tag, run.name.endswith("in")) == ("bm25", True)

    def test_a_pattern_and_a_folder_stand_for_their_files(self, put: Put, tmp_path: Path) -> None:
        for name in ("b", "a"):
            put(trec(RUN, "score"), f"runs/{name}.run")
        put("not a run", "runs/.hidden")
        for runs in (f"{tmp_path}/runs/*.run", tmp_path / "runs", [tmp_path / "runs"]):
            assert [row.run for row in certus.evaluate(QRELS, runs, "AP")] == ["a.run", "b.run"]
        put("1 Q0 a 1 2 t\n", "runs/[x].run")
        assert [row.run for row in certus.evaluate(QRELS, tmp_path / "runs" / "[x].run", "AP")] == ["[x].run"]
        with pytest.raises(certus.DataError, match=r"\*\.txt: no file matches this pattern"):
            certus.evaluate(QRELS, f"{tmp_path}/runs/*.txt", "AP")
        (tmp_path / "runs" / "c.run").symlink_to("nowhere")
        with pytest.raises(certus.DataError, match=r"c\.run: no such file"):
            certus.evaluate(QRELS, tmp_path / "runs", "AP")
        nameless: list[str | list[str]] = ["", [""]]
        for nothing in nameless:
            with pytest.raises(certus.DataError, match="the file name is empty"):
                certus.evaluate(QRELS, nothing, "AP")
        (tmp_path / "empty").mkdir()
        with pytest.raises(certus.DataError, match="empty: is a directory without files"):
            certus.evaluate(QRELS, tmp_path / "empty", "AP")

    def test_names_are_what_differs_between_the_paths(self, put: Put) -> None:
        paths = [put(trec(RUN, "score"), f"{folder}/{name}") for folder in ("old", "new") for name in ("a", "b")]
        table = certus.evaluate(QRELS, paths, "AP")
        assert [row.run for row in table] == ["old/a", "old/b", "new/a", "new/b"]
        assert [row.run for row in certus.evaluate(QRELS, paths[::2], "AP")] == ["old", "new"]
        assert [row.run for row in certus.evaluate(QRELS, paths[:2], "AP")] == ["a", "b"]


def test_the_command_line_reads_many_runs_and_asks_for_what_is_ambiguous(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    put("query-id\tcorpus-id\tscore\n1\ta\t1\n2\tb\t1\n", "beir.tsv")
    put("1 a 2\n1 x 1\n2 b 1\n", "runs/three")
    put(MANY.replace("007", "2"), "many.csv")

    def call(*line: str) -> tuple[int, str, str]:
        status = app.run([*line, "-m", "RR"])
        out, err = capsys.readouterr()
        return status, out, err

    status, out, err = call("evaluate", "beir.tsv", "runs/*")
    assert (status, out, err.count("\n")) == (3, "", 1)
    assert err.startswith("certus: runs/three: may be msmarco")
    assert err.endswith("as in --format-of-run msmarco\n")
    for name, value in (("msmarco", 0.75), ("query-doc-score", 1.0)):
        status, out, _ = call("evaluate", "beir.tsv", "runs", "--format-of-run", name, "--format", "json")
        assert (status, [row["value"] for row in json.loads(out)["rows"]]) == (0, [value])
    status, _, err = call("evaluate", "beir.tsv", "runs", "--format-of-run", "marco")
    assert (status, err) == (2, "certus: --format-of-run is 'marco'; did you mean 'msmarco'?\n")
    status, out, _ = call("compare", "beir.tsv", "many.csv", "--baseline", "dpr", "--format", "json")
    assert (status, [row["system"] for row in json.loads(out)["rows"]]) == (0, ["bm25"])
    status, out, err = call("compare", "beir.tsv", "many.csv", "--baseline", "dpi")
    assert (status, "did you mean 'dpr'" in err) == (2, True)
    status, _, err = call("compare", "beir.tsv", "runs/three", "--format-of-run", "msmarco")
    assert (status, "one run was given; a comparison needs two or more" in err) == (2, True)
