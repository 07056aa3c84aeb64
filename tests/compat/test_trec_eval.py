"""trec_eval's face against trec_eval 9.0.8 itself (see trec_eval_oracle.py), line by line."""

import math
import os
import random
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
import pytrec_eval
from trec_eval_face import TEN, lines
from trec_eval_oracle import ALL_TREC, Data, order, printed, read

from certus import MetricNameError
from certus.cli import app
from certus.compat.trec_eval import Options

REFERENCE = Path(__file__).parents[1] / "reference" / "trec_eval"
ROBUST03 = Path(os.environ.get("CERTUS_ROBUST03", Path(__file__).parents[3] / "shared" / "data" / "robust03"))

PARAMETERS = (
    "P.3,7",
    "recall.2000,20",
    "map_cut.4",
    "ndcg_cut.23,10",
    "relative_P.7",
    "success.2,20",
    "iprec_at_recall.0.25,0.5,.75",
    "Rprec_mult.0.35,5",
    "11pt_avg.0.2,0.5,0.8",
    "set_F.0.5",
    "set_F.3",
    "utility.2,-1,0.5,0",
    "ndcg.1=3,2=9,4=4.5",
    "ndcg_rel.1=3,2=9",
    "Rndcg.1=3,2=9",
    "G.1=3,2=9",
)


def synthetic(seed: int, queries: int = 30) -> Data:
    """Graded judgments, ties, documents and queries missing on either side, some judged -1."""
    random_numbers = random.Random(seed)
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for number in random_numbers.sample(range(100), queries):
        documents = [f"d{i}" for i in random_numbers.sample(range(500), random_numbers.randint(2, 60))]
        grades = random_numbers.choices((-1, 0, 0, 0, 1, 1, 2, 4), k=len(documents))
        judged = dict(zip(documents, grades, strict=True))
        found = random_numbers.sample(documents, len(documents) // 2)
        found += [f"u{i}" for i in range(random_numbers.randint(0, 40))]
        if random_numbers.random() > 0.1:
            qrels[str(number)] = judged
        if found and random_numbers.random() > 0.1:
            run[str(number)] = {doc: random_numbers.choice((1.0, 1.5, 2.0, random_numbers.random())) for doc in found}
    return Data(qrels, run)


EACH = Options(per_query=True)
ALL = Options(("all_trec",), per_query=True)


@pytest.mark.parametrize("group", ["official", "set", "all_trec"])
def test_the_groups_are_trec_evals(group: str) -> None:
    data = synthetic(0, 5)
    assert sorted(lines(data, group)) == sorted(lines(data, *pytrec_eval.supported_nicknames[group]))


@pytest.mark.parametrize("seed", range(20))
def test_all_measures_print_what_trec_eval_computes(seed: int) -> None:
    data = synthetic(seed)
    assert lines(data, options=ALL) == printed(data, ALL_TREC)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("measure", PARAMETERS)
def test_parameters_print_what_trec_eval_computes(seed: int, measure: str) -> None:
    data = synthetic(seed)
    assert lines(data, measure, options=EACH) == printed(data, [measure])


@pytest.mark.parametrize("seed", range(5))
def test_averages_over_all_judged_queries(seed: int) -> None:
    data = synthetic(seed)
    run = {query: found for query, found in data.run.items() if query not in sorted(data.qrels)[:2]}
    data = Data(data.qrels, run)
    assert lines(data, options=replace(ALL, complete=True)) == printed(data, ALL_TREC, complete=True)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rel", [2, 4])
def test_levels_of_relevance(seed: int, rel: int) -> None:
    data = synthetic(seed)
    # bpref reads past trec_eval's memory where the level is above the highest grade of a query
    qrels = {query: judged for query, judged in data.qrels.items() if max(judged.values()) >= rel}
    data = Data(qrels, data.run)
    assert lines(data, options=replace(ALL, rel=rel)) == printed(data, ALL_TREC, rel=rel)


@pytest.mark.parametrize("seed", range(5))
def test_judged_documents_only(seed: int) -> None:
    data = synthetic(seed)
    run = {
        query: found
        for query, found in data.run.items()
        if any(data.qrels.get(query, {}).get(doc, -1) >= 0 for doc in found)
    }
    data = Data(data.qrels, run)
    assert lines(data, options=replace(ALL, judged_only=True)) == printed(data, ALL_TREC, judged_only=True)


def test_nothing_judged_retrieved_counts_as_zero() -> None:
    data = Data({"1": {"a": 1}}, {"1": {"x": 1.0}})
    said = lines(data, options=replace(ALL, judged_only=True))
    assert "set_P                 \t1\t0.0000" in said
    assert "relstring             \t1\t''" in said
    assert not [line for line in said if "nan" in line]


def test_only_the_first_documents_count() -> None:
    data = synthetic(3)
    cut = {query: {doc: found[doc] for doc in order(found)[:7]} for query, found in data.run.items()}
    assert lines(data, options=replace(ALL, depth=7)) == printed(Data(data.qrels, cut), ALL_TREC)


def test_the_order_of_lines_is_trec_evals_whatever_is_asked_for() -> None:
    data = Data({"1": {"a": 1}}, {"1": {"a": 1.0}})
    assert [line.split()[0] for line in lines(data, "set_F", "map", "P.10,5", "num_q", "P.20")] == [
        "num_q",
        "map",
        "P_5",
        "P_10",
        "set_F",
    ]
    assert [line.split()[0] for line in lines(data)][:12] == [
        *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map"),
        *("gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall_0.00", "iprec_at_recall_0.10"),
    ]
    assert lines(data, "map.5") == lines(data, "map")


def test_strings_of_relevance() -> None:
    data = Data({"1": {"a": 1, "b": 12, "c": 0, "e": -1}}, {"1": {"a": 5.0, "b": 4.0, "d": 3.0, "c": 2.0, "e": 1.0}})
    assert lines(data, "relstring", options=EACH) == ["relstring             \t1\t'1>-0.'"]
    assert lines(data, "relstring.2", options=EACH) == ["relstring_2           \t1\t'1>'"]
    assert lines(data, "relstring") == []


def test_the_name_of_the_run_and_the_summary_switch() -> None:
    data = Data({"1": {"a": 1}}, {"1": {"a": 1.0}})
    assert lines(data, "runid", "num_q", run_id="my run") == [
        "runid                 \tall\tmy run",
        "num_q                 \tall\t1",
    ]
    assert lines(data, "map", options=replace(EACH, summary=False)) == ["map                   \t1\t1.0000"]
    assert lines(data, "map", options=Options(summary=False)) == []


def test_utility_knows_the_collection() -> None:
    data = Data({"1": {"a": 1, "b": 1}}, {"1": {"a": 1.0, "x": 0.5, "y": 0.4}})
    # 1 relevant and 2 others retrieved, 1 relevant missed, 100 - 4 others left: 2 - 2 + 3 + 96/2
    assert lines(data, "utility.2,-1,3,0.5", options=Options(collection=100)) == [
        "utility_2,-1,3,0.5    \tall\t51.0000"
    ]


def test_scores_are_rounded_to_32_bits_except_in_version_10() -> None:
    data = Data({"1": {"a": 1}}, {"1": {"a": 1.00000001, "b": 1.0}})
    assert lines(data, "recip_rank") == ["recip_rank            \tall\t0.5000"]
    assert lines(data, "recip_rank", options=TEN) == ["recip_rank            \tall\t1.0000"]


@pytest.mark.parametrize("dialect", ["9", "10"])
def test_whole_numbers_that_no_double_holds_are_rounded_and_tied(
    dialect: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("1 0 a 1\n")
    run.write_text("1 Q0 b 1 9007199254740992 t\n1 Q0 a 2 9007199254740993 t\n")
    assert app.run(["trec-eval", "--dialect", dialect, "-m", "recip_rank", str(qrels), str(run)]) == 0
    assert capsys.readouterr().out == "recip_rank            \tall\t0.5000\n"  # equal, so the greater id comes first


def test_version_10_rounds_recall_levels_to_the_nearest_document() -> None:
    data = Data({"1": {f"d{i}": 1 for i in range(6)}}, {"1": {"d1": 3.0, "x": 2.0, "d2": 1.0}})
    # level 0.2 of 6 documents: 1.2, which is 2 documents in version 9 (precision 2/3) and 1 in version 10 (precision 1)
    assert lines(data, "iprec_at_recall.0.2") == ["iprec_at_recall_0.20  \tall\t0.6667"]
    assert lines(data, "iprec_at_recall.0.2", options=TEN) == ["iprec_at_recall_0.20  \tall\t1.0000"]
    assert lines(data, "11pt_avg.0.2,0.2001") == ["11pt_avg_0.2,0.2001   \tall\t0.6667"]
    assert lines(data, "11pt_avg.0.2", options=TEN) == ["11pt_avg_0.2          \tall\t1.0000"]


def test_version_10_prints_queries_that_the_run_lacks() -> None:
    data = Data({"1": {"a": 1}, "2": {"b": 1, "c": 1}}, {"1": {"a": 1.0}})
    options = Options(("num_ret", "num_rel", "map", "relstring", "gm_map"), per_query=True, complete=True)
    nine, ten = (lines(data, options=each) for each in (options, replace(options, dialect="10")))
    added = [
        "num_ret               \t2\t0",
        "num_rel               \t2\t2",
        "map                   \t2\t0.0000",
        "relstring             \t2\t''",
    ]
    assert ten == nine[:4] + added + nine[4:]


def test_version_10_judges_a_missing_query_by_one_unjudged_document() -> None:
    data = Data({"1": {"a": 1}, "2": {"b": 1}}, {"1": {"a": 1.0}})
    options = Options(per_query=True, complete=True, dialect="10")
    assert lines(data, "utility.1,-1,0,0", "relstring.3", options=options) == [
        "relstring_3           \t1\t'1'",
        "utility_1,-1,0,0      \t1\t1.0000",
        "relstring_3           \t2\t'-'",
        "utility_1,-1,0,0      \t2\t-1.0000",
        "utility_1,-1,0,0      \tall\t0.0000",
    ]
    assert "utility               \t2\t0.0000" in lines(data, "utility", options=options)


def test_only_version_10_knows_comments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    qrels, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    qrels.write_text("# judged in May\n1 0 a 1\n")
    run.write_text("1 Q0 a 1 2.5 tag and more columns\n# the end\n")
    assert app.run(["trec-eval", "-m", "map", "-m", "runid", "--dialect", "10", str(qrels), str(run)]) == 0
    assert capsys.readouterr().out == "runid                 \tall\ttag\nmap                   \tall\t1.0000\n"
    assert app.run(["trec-eval", "-m", "map", str(qrels), str(run)]) == 3
    assert "qrels.txt:1" in capsys.readouterr().err


def of_ten(
    data: Data, query: str, rel: int = 1, p: float = 0.9, gains: dict[int, float] | None = None
) -> dict[str, float]:
    """Additions of trec_eval 10 to version 9, one document after the other; and yaap."""
    judged = data.qrels[query]
    found = [
        judged.get(doc, -1) for doc in sorted(data.run[query], key=lambda d: (data.run[query][d], d), reverse=True)
    ]
    gain = {grade: float(grade) for grade in range(max(0, *judged.values()) + 1)} | (gains or {})
    low, high = min(0.0, *gain.values()), max(0.0, *gain.values())
    if low < 0 or high > 1:
        gain = {grade: (each - low) / (high - low) for grade, each in gain.items()}
    rbp = residual = precisions = 0.0
    hits = 0
    for i, grade in enumerate(found):
        rbp += (1 - p) * p**i * (gain[grade] if grade >= 0 else 0)
        residual += (1 - p) * p**i * (grade < 0)
        if grade >= rel:
            hits += 1
            precisions += hits / (i + 1)
    relevant = sum(grade >= rel for grade in judged.values())
    return {
        "yaap": math.log((1 + precisions) / (1 + relevant - precisions)),
        "rbp": rbp,
        "rbp_resid": residual + p ** len(found) if any(grade < 0 for grade in found) else 0.0,
        **{f"unj_{k}": sum(grade < 0 for grade in found[:k]) / k for k in (5, 10, 20)},
    }


ADDED = ("yaap", "rbp", "rbp_resid", "unj")
TEN_EACH = Options(ADDED, per_query=True, dialect="10")


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(
    ("rel", "text", "gains"), [(1, "", {}), (2, "p=0.7,2=0.25", {2: 0.25}), (1, "1=-3,p=.7", {1: -3.0})]
)
def test_version_10_adds_rank_biased_precision_and_unjudged_shares(
    seed: int, rel: int, text: str, gains: dict[int, float]
) -> None:
    data = synthetic(seed)
    given = f".{text}" if text else ""
    options = replace(TEN_EACH, measures=("yaap", f"rbp{given}", f"rbp_resid{given}", "unj"), rel=rel)
    queries = sorted(data.qrels.keys() & data.run.keys())
    each = {query: of_ten(data, query, rel, 0.7 if text else 0.9, gains) for query in queries}
    names = {"rbp": f"rbp_{text}", "rbp_resid": f"rbp_resid_{text}"} if text else {}
    expected = [f"{names.get(name, name):<22}\t{q}\t{value:6.4f}" for q in queries for name, value in each[q].items()]
    for name in each[queries[0]]:
        mean = math.fsum(each[query][name] for query in queries) / len(queries)
        expected.append(f"{names.get(name, name):<22}\tall\t{mean:6.4f}")
    assert lines(data, options=options) == expected


def test_what_version_10_adds_by_hand() -> None:
    """Relevant, unjudged, nonrelevant, relevant; one relevant document is not found."""
    data = Data({"1": {"a": 1, "c": 0, "d": 1, "e": 1}}, {"1": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}})
    said = dict(line.split("\t1\t") for line in lines(data, options=replace(TEN_EACH, summary=False)))
    assert {name.strip(): value for name, value in said.items()} == {
        "yaap": f"{math.log((1 + 1 + 2 / 4) / (1 + 3 - 1.5)):6.4f}",
        "rbp": f"{0.1 * (1 + 0.729):6.4f}",
        "rbp_resid": f"{0.1 * 0.9 + 0.9**4:6.4f}",
        "unj_5": "0.2000",
        "unj_10": "0.1000",
        "unj_20": "0.0500",
    }
    judged = replace(TEN_EACH, summary=False, judged_only=True, depth=3)
    assert "rbp_resid             \t1\t0.0000" in lines(data, options=judged)


def test_version_10_clears_what_its_stand_in_document_adds_to_a_missing_query() -> None:
    data = Data({"1": {"a": 1}, "2": {"b": 1}}, {"1": {"a": 1.0}})
    said = lines(data, "rbp", "rbp_resid", "rbp_resid.p=0.8", "unj", "yaap", options=replace(TEN_EACH, complete=True))
    assert [line for line in said if "\t2\t" in line] == [
        "yaap                  \t2\t-0.6931",
        "rbp                   \t2\t0.0000",
        "rbp_resid_p=0.8       \t2\t1.0000",
        *(f"unj_{k:<18}\t2\t0.0000" for k in (5, 10, 20)),
    ]
    assert "rbp_resid             \t2\t0.0000" in lines(data, "rbp_resid", options=replace(TEN_EACH, complete=True))


def test_the_group_of_all_measures_has_more_of_them_in_version_10() -> None:
    data = synthetic(0)
    names = [line.split()[0] for line in lines(data, "all_trec", options=TEN)]
    assert names[-5:] == ["rbp", "rbp_resid", "unj_5", "unj_10", "unj_20"]
    for measure in ("rbp", "rbp_resid", "unj"):
        with pytest.raises(MetricNameError, match=f"measure '{measure}' is one of trec_eval 10"):
            lines(data, measure)


@pytest.mark.skipif(not ROBUST03.is_dir(), reason=f"the TREC 2003 robust runs are not in {ROBUST03}")
@pytest.mark.parametrize("name", ["aplrob03a", "humR03dc", "SABIR03BASE"])
def test_real_runs_print_what_trec_eval_computes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    qrels_file, run_file = ROBUST03 / "qrels.txt.gz", ROBUST03 / f"input.{name}.gz"
    data = read(qrels_file, run_file)
    assert app.run(["trec-eval", "-q", "-c", "-m", "all_trec", str(qrels_file), str(run_file)]) == 0
    assert capsys.readouterr().out.splitlines() == printed(data, ALL_TREC, name, complete=True)


def stored() -> list[Path]:
    return sorted(REFERENCE.glob("*.out"))


def test_stored_outputs_are_there() -> None:
    assert len(stored()) >= 5


@pytest.mark.parametrize("path", stored(), ids=lambda path: path.stem)
def test_stored_outputs_of_trec_eval(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command, _, output = path.read_text().partition("\n")
    flags = shlex.split(command.removeprefix("# trec_eval "))
    assert app.run(["trec-eval", *flags, str(REFERENCE / "qrels.txt"), str(REFERENCE / "run.txt")]) == 0
    assert capsys.readouterr().out == output
