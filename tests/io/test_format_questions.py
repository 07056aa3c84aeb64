"""Formats that leave something open: the reader asks, and names the argument that answers."""

import json

import pandas as pd
import pytest
from ranking_files import (
    MANY,
    QRELS,
    RUN,
    delimited,
    trec,
)
from reader_files import Put

import certus
from certus.cli import app
from certus.io import as_qrels, read_runs
from certus.io.formats import FORMATS
from certus.io.rankings import as_runs


class TestQuestions:
    """Ambiguous input is asked about."""

    @pytest.mark.parametrize(
        "text",
        [
            "1 a 2\n1 x 1\n",
            "1 a 2.0\n1 x 1.0\n",
            "1\ta\t2.\n1\tx\t1\n",
            "1 a 2.000000000000000000e+00\n1 x 1.000000000000000000e+00\n",
        ],
        ids=["whole", "pandas", "mixed", "numpy.savetxt"],
    )
    def test_three_columns_of_whole_numbers_are_asked_for_and_the_answer_decides(self, text: str, put: Put) -> None:
        path = put(text)
        asked = (
            r"may be msmarco \(query document rank.*\) or query-doc-score \(query document score.*\); say which, as in "
        )
        with pytest.raises(certus.DataError, match=asked + "format='msmarco'"):
            certus.read_run(path)
        with pytest.raises(certus.DataError, match=asked + "format_of_run='msmarco'"):
            certus.evaluate(QRELS, path, "RR")
        values = {
            name: next(iter(certus.evaluate(QRELS, path, "RR", format_of_run=name))).value
            for name in ("msmarco", "query-doc-score")
        }
        assert values == {"msmarco": 0.5, "query-doc-score": 1.0}

    def test_three_columns_with_a_fraction_are_scores(self, put: Put) -> None:
        assert certus.read_run(put("1 a 2\n1 x 1.5\n")).to_dict() == {"1": {"a": 2.0, "x": 1.5}}
        assert certus.read_run(put("1 a -1.0\n1 x 2\n")).to_dict() == {
            "1": {"a": -1.0, "x": 2.0}
        }  # no rank is negative

    @pytest.mark.parametrize("score", ["5", "5.0", "0.5"])
    def test_four_columns_with_ranks_written_by_pandas_are_a_run_of_ms_marco(self, score: str, put: Put) -> None:
        path = put(f"1 a 1.0 {score}\n1 b 2.0 0\n7 a 1.0 {score}\n")
        assert certus.read_run(path).to_dict() == {"1": {"a": float(score), "b": 0.0}, "7": {"a": float(score)}}
        with pytest.raises(certus.DataError, match=r"holds a run \(MS MARCO.*are qrels and run swapped"):
            certus.read_qrels(path)

    def test_a_format_that_is_none_is_answered_with_the_nearest_or_with_all(self, put: Put) -> None:
        path = put("1 a 2\n")
        with pytest.raises(certus.MetricNameError, match="format is 'marco'; did you mean 'msmarco'"):
            certus.read_run(path, format="marco")
        held = sorted(name for name, each in FORMATS.items() if "qrels" in each.forms)
        with pytest.raises(
            certus.MetricNameError, match=f"format_of_qrels is 'zzz'; the formats are {', '.join(held)}"
        ):
            certus.evaluate(path, path, "AP", format_of_qrels="zzz")

    def test_messages_name_the_argument_that_the_reader_has(self, put: Put) -> None:
        path = put("1 a 2\n")
        for read in (read_runs, as_runs):
            with pytest.raises(certus.DataError, match="say which, as in format='msmarco'"):
                read(path)
        with pytest.raises(certus.MetricNameError, match=r"^format is 'zzz'"):
            as_qrels(path, format="zzz")
        with pytest.raises(certus.MetricNameError, match=r"^format_of_run is 'zzz'"):
            certus.compare(QRELS, [path, put("1 a 3\n", "b")], "AP", format_of_run="zzz")

    def test_remedies_on_the_command_line_are_for_the_command_line(
        self, put: Put, capsys: pytest.CaptureFixture[str]
    ) -> None:
        qrels, none = put("1 0 a 1\n", "qrels"), put("q,d,s\n1,a,2\n", "none")
        both, two = put("qid,docno,score,sim\n1,a,2,3\n", "both"), put(MANY, "two")
        said = []
        for line in ([qrels, none], [none, both], [qrels, both], [qrels, two, two]):
            assert app.run(["evaluate", *map(str, line)]) == 3
            said.append(capsys.readouterr().err)
        assert [text.rpartition("; ")[2] for text in said] == [
            *["rename one, or name the columns (--query, --document, --truth, --score)\n"] * 3,
            "give each run once\n",
        ]
        with pytest.raises(certus.DataError, match=r"rename one, or name the .* certus.io.as_run\(..., query='...'\)"):
            certus.evaluate(qrels, none, "AP")

    def test_a_format_is_of_files_only(self) -> None:
        with pytest.raises(certus.DataError, match="format is 'csv', but the data are not a file"):
            as_qrels(QRELS, format="csv")
        with pytest.raises(certus.DataError, match="but the data are not a file"):
            certus.evaluate(
                QRELS, pd.DataFrame({"qid": ["1"], "docno": ["a"], "score": [1.0]}), "AP", format_of_run="csv"
            )


class TestSwapped:
    """Qrels where a run belongs, and the other way round."""

    @pytest.mark.parametrize(
        "run",
        [
            trec(RUN, "score"),
            b"1 a 1 2.5\n1 x 2 1.5\n007 b 1 7.5\n",
            delimited(RUN, "score", ","),
            delimited([(query, doc, i + 1) for i, (query, doc, _) in enumerate(RUN)], "rank", ","),
            b"1 a 2.5\n1 x 1.5\n",
        ],
        ids=["trec", "msmarco", "csv", "ranks", "three columns"],
    )
    def test_a_run_is_no_qrels(self, run: bytes, put: Put) -> None:
        with pytest.raises(certus.DataError, match="are qrels and run swapped"):
            certus.evaluate(put(run, "first"), put("1 0 a 1\n", "second"), "AP")

    @pytest.mark.parametrize(
        "qrels",
        [
            b"1 0 a 1\n1 0 b 0\n",
            b"1\t0\t17\t1\n2\t0\t18\t0\n",
            b"1 Q0 17 1\n",
            b"query_id,doc_id,relevance\n1,a,1\n",
            b"query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t2\n",
        ],
        ids=["trec", "msmarco", "one line", "csv", "beir"],
    )
    def test_qrels_are_no_run(self, qrels: bytes, put: Put) -> None:
        for run in (put(qrels), certus.read_run):
            with pytest.raises(certus.DataError, match="are qrels and run swapped"):
                run(put(qrels)) if callable(run) else certus.evaluate(QRELS, run, "AP")

    def test_json_is_known_by_its_numbers(self, put: Put, capsys: pytest.CaptureFixture[str]) -> None:
        run = put('{"1": {"a": 2.5, "b": 1}, "7": {"c": 0.5}}', "run.json")
        qrels = put('{"1": {"a": 2, "b": 0, "c": 0}, "7": {"c": 1}}', "qrels.json")
        assert app.run(["evaluate", str(qrels), str(run), "-m", "AP"]) == 0
        capsys.readouterr()
        assert app.run(["evaluate", str(run), str(qrels), "-m", "AP"]) == 3
        said = "run.json: the grade of document 'a' for query '1' is 2.5; a grade must be a whole number; are "
        assert said + "qrels and run swapped? Judgments come first, then runs\n" in capsys.readouterr().err
        for data in (qrels, put('{"1": {"a": 1}, "7": {"c": 1}}')):
            for read in (certus.read_run, lambda path: certus.evaluate(QRELS, path, "AP")):
                with pytest.raises(
                    certus.DataError, match=r"qrels and run swapped.*if these are scores, write them as "
                ):
                    read(data)

    @pytest.mark.parametrize(
        "text",
        [
            '{"1": {"a": 2, "b": 1, "c": 0}, "7": {"c": 1}}',
            '{"1": {"a": 5, "b": 0, "c": 0}}',
            '{"1": {"a": 2.0, "b": 0, "c": 0}}',
            '{"1": {"a": 1}}',
            '{"1": {"a": 2}, "7": {"c": 1}}',
        ],
        ids=["an order", "more than a grade", "a point", "one", "one each"],
    )
    def test_whole_numbers_in_json_are_scores_unless_they_can_only_be_grades(self, text: str, put: Put) -> None:
        assert certus.read_run(put(text)).to_dict() == json.loads(text)

    def test_lists_of_one_document_each_in_json_are_a_run_or_judgments(self, put: Put) -> None:
        path = put('{"1": ["a"], "7": ["c"]}')
        assert certus.read_run(path).to_dict() == certus.read_qrels(path).to_dict() == {"1": {"a": 1}, "7": {"c": 1}}

    @pytest.mark.parametrize("text", ["q a 1 bm25\n", "q Q0 7 0.5\n", "qid docid rank score\nq a 1 0.5\n"])
    def test_four_columns_without_a_grade_are_not_called_judgments(self, text: str, put: Put) -> None:
        with pytest.raises(certus.DataError, match="in:1: the line has 4 columns; expected 6"):
            certus.read_run(put(text))
