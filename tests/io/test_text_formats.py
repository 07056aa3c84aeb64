"""Rankings in text: quotes, separators, encodings, and what is refused with its line."""

import gzip

import pandas as pd
import pytest
from ranking_files import (
    QRELS,
    RUN,
    WRITERS,
)
from reader_files import Put

import certus


class TestText:
    """CSV and its like, as people write them."""

    @pytest.mark.parametrize(
        "text",
        [
            'qid,docno,score\r\n007,"d,1",2.5\r\n7,d 2,1e0\r\n',
            'qid,docno,score\r007,"d,1",2.5\r7,d 2,1e0\r',
            "qid\tdocno\tscore\r007\td,1\t2.5\r7\td 2\t1\r",
            '\ufeffqid,docno,score\n007,"d,1",2.5\n7,d 2,1\n',
            'docno;x,score,qid\n"d,1",2.5,007\nd 2,1,7\n'.replace("docno;x", "docno"),
            '{"qid": "007", "docno": "d,1", "score": 2.5}\n\n{"score": 1, "docno": "d 2", "qid": 7}\n',
        ],
        ids=[
            "crlf and quotes",
            "cr and quotes",
            "cr and tabs",
            "byte-order mark",
            "any order of columns",
            "json lines",
        ],
    )
    def test_harmless_variety_is_read_and_ids_stay_as_they_are_written(self, text: str, put: Put) -> None:
        expected = {"007": {"d,1": 2.5}, "7": {"d 2": 1.0}}
        assert certus.read_run(put(text)).to_dict() == expected
        assert certus.read_run(put(gzip.compress(text.encode()))).to_dict() == expected

    def test_a_list_of_objects_and_lists_of_pairs_are_read_from_json(self, put: Put) -> None:
        frame = pd.DataFrame({"qid": ["1", "1", "007"], "docno": ["a", "x", "b"], "score": [2, 1.5, 7.0]})
        expected = {"1": {"a": 2.0, "x": 1.5}, "007": {"b": 7.0}}
        assert certus.read_run(put(frame.to_json(orient="records"))).to_dict() == expected
        assert certus.read_run(put(frame.to_json(orient="records", indent=1))).to_dict() == expected
        assert certus.read_run(put('{"1": [["x", 1.5], ["a", 2]], "007": [["b", 7]]}')).to_dict() == expected
        grades = frame.assign(score=[2, 0, 1]).rename(columns={"score": "rel"})
        assert certus.read_qrels(put(grades.to_json(orient="records"))).to_dict() == {
            "1": {"a": 2, "x": 0},
            "007": {"b": 1},
        }
        with pytest.raises(certus.DataError, match="in: row 1 is a dict without 'score'; all are"):
            certus.read_run(put('[{"qid": 1, "docno": "a", "score": 1}, {"qid": 1, "docno": "b"}]'))
        with pytest.raises(certus.DataError, match="in: document 'a' appears twice for query '1'"):
            certus.read_run(put('[{"qid": 1, "docno": "a", "score": 1}, {"qid": "1", "docno": "a", "score": 1}]'))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("qid,docno,score\n", r"in: names its columns but holds no results"),
            ("q,d,s\n1,a,2\n", r"in: has none of 'query_id', .* as columns, but 'q', 'd', 's'; rename one"),
            ("1,a,2.5\n1,b,1.5\n", r"in: has none of 'query_id', .* as columns, but '1', 'a', '2.5'"),
            ("qid,docno,score,sim\n1,a,2,3\n", r"in: has both 'score' and 'sim' as columns; rename one"),
            ("qid,docno,score\n1,a,2\n1,b\n", r"in:3: has 2 fields, the header has 3"),
            ("qid,docno,score\n1,a,2\n1 Q0 b 1 2 t\n", r"in:3: has 1 field, the header has 3"),
            ("qid,docno,score\n1,a,2\n\n1,a,3\n", r"in:4: .* document 'a' appears twice for query '1'; keep one"),
            ("qid,docno,score\n1,a,2\n1,b,8_5\n", r"in:3: column 'score' is '8_5', which is not a number"),
            ('qid,docno,score\n1,a,2\n1,b,"8,5"\n', r"in:3: column 'score' is '8,5'.*reads decimals after a comma"),
            ("qid,docno,score\n1,a,inf\n", r"column 'score' is inf; a score must be finite"),
            ("qid,docno,score\n1,a,nan\n", r"in:2: column 'score' is 'nan', a missing value"),
            ("qid,docno,score\n1,a,1e999\n", r"in:2: column 'score' is '1e999', which is too large"),
            ("qid,docno,score\n1,,2\n", r"in:2: column 'docno' is empty"),
            ("qid,docno,score\n1, a,2\n", r"in:2: column 'docno' is ' a'; an id cannot start or end with a blank"),
            ('qid,docno,score\n1,"a,2\n1,b,3\n', r"in:2: a quoted field is not closed"),
            ("qid,docno,score\n1,a\0,2\n", r"in:2: holds a NUL byte"),
            ("qid,docno,score\r1,b,1\r1,a\0,2\r", r"in:3: holds a NUL byte"),
            ("qid,docno,score\r1,b,1\r1,a,x\r", r"in:3: column 'score' is 'x', which is not a number"),
            (
                "qid,docno,score\n1,a,9007199254740993\n1,b,9007199254740992\n",
                r"'score' holds whole numbers beyond 2\*\*53",
            ),
            (
                f"qid,docno,score\n1,a,0.1{'0' * 20}1\n1,b,0.1\n",
                r"'score' holds 0\.10*1 and 0\.1, which float64 cannot tell apart; subtract a common offset",
            ),
            ("qid\tdocno\tscore\n1\ta\n", r"in:2: has 2 fields, the header has 3"),
            (
                '{"qid": 1, "docno": "a", "score": 2}\n{"qid": 1, "docno": "a", "score": 3}\n',
                r"in:2: .* twice for query '1'",
            ),
            ('{"qid": 1, "docno": "a", "score": 2}\n{"qid": 1, "docno": "b"}\n', r"in:2: has no 'score'"),
            (
                '{"qid": 1, "docno": "a", "score": 2}\n{"qid": 1.5, "docno": "b", "score": 1}\n',
                r"in:2: .* 1.5 of type float",
            ),
            ('{"qid": 1, "docno": "a", "score": 2}\n{"qid"', r"in:2: is not valid JSON"),
            ('{"qid": 1, "docno": "a\\u0000", "score": 2}\n', r"in:1: column 'docno' is 'a\\x00', which holds a NUL"),
            ('{"qid": 1, "docno": "\\ud800", "score": 2}\n', r"in:1: .* half of a surrogate pair"),
            ("1 a 2.5\n1 b\n", r"in:2: the line has 2 columns; expected 3"),
            ("1 a 1 2.5\n1 b 2\n", r"in:2: the line has 3 columns; expected 4"),
            ("1 a 2.5\n1 b x\n", r"in:2: the score is 'x', which is not a number"),
        ],
    )
    def test_what_is_no_run_is_refused_with_its_line(self, text: str, message: str, put: Put) -> None:
        for read in (certus.read_run, lambda path: certus.evaluate(QRELS, path, "AP")):
            with pytest.raises(certus.DataError, match=message):
                read(put(text))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("qid,docno,rel\n", r"holds no judgments"),
            ("qid,docno,rel\n1,a,1.5\n", r"in:2: column 'rel' is 1.5; a grade must be a whole number"),
            ("qid,docno,rel\n1,a,3000000000\n", r"in:2: column 'rel' is 3000000000; a grade must lie between"),
            ("qid,docno,rel\n1,a,1\n1,a,1\n", r"in:3: .* document 'a' is judged twice for query '1'"),
            (
                "qid,docno,of\n1,a,1\n",
                r"in: has none of 'relevance', 'rel', 'grade', 'label', 'score', 'sim' as columns",
            ),
        ],
    )
    def test_what_are_no_qrels_is_refused_with_its_line(self, text: str, message: str, put: Put) -> None:
        with pytest.raises(certus.DataError, match=message):
            certus.read_qrels(put(text))

    def test_grades_may_be_written_as_whole_floats(self, put: Put) -> None:
        assert certus.read_qrels(put("qid,docno,label\n1,a,2.0\n")).to_dict() == {"1": {"a": 2}}

    @pytest.mark.parametrize("name", ["csv", "jsonl", "parquet", "arrow", "Feather"])
    def test_a_file_cut_short_is_refused(self, name: str, put: Put) -> None:
        whole = WRITERS[name](RUN, "score")
        for data in (gzip.compress(whole)[:-9], whole[:-9] if name != "csv" else whole[:-9].rpartition(b",")[0]):
            with pytest.raises(certus.DataError, match="in"):
                certus.read_run(put(data))
