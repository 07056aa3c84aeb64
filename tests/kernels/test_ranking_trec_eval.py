"""The ranking kernels against trec_eval 9.0.8, bit for bit, through the wheel pytrec-eval-terrier."""

import gzip
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import oracles
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from certus.core import kernels
from certus.data.ranking import Columns

Values = NDArray[np.float64]
Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]

CUTOFFS = (1, 5, 10, 30, 1000)
TENTHS = tuple(tenth / 10 for tenth in range(11))
MULTIPLES = tuple(fifth / 5 for fifth in range(1, 11))

BY_GRADE: dict[str, Callable[[Columns], Values]] = {
    "num_ret": kernels.num_retrieved,
    "ndcg": partial(kernels.ndcg, cutoff=None, gain="linear", average=False),
    "ndcg_rel": partial(kernels.ndcg_rel, average=False),
    "G": partial(kernels.g, average=False),
    **{f"ndcg_cut_{k}": partial(kernels.ndcg, cutoff=k, gain="linear", average=False) for k in CUTOFFS},
}

BY_RELEVANCE: dict[str, Callable[..., Values]] = {
    "num_rel": kernels.num_relevant,
    "num_rel_ret": kernels.num_relevant_retrieved,
    "num_nonrel_judged_ret": kernels.num_nonrelevant_judged_retrieved,
    "map": partial(kernels.average_precision, cutoff=None, denominator="relevant", average=False),
    "Rprec": partial(kernels.r_precision, multiple=1.0, average=False),
    "bpref": partial(kernels.bpref, average=False),
    "recip_rank": partial(kernels.reciprocal_rank, cutoff=None, average=False),
    "infAP": partial(kernels.inf_ap, average=False),
    "11pt_avg": partial(kernels.eleven_point, rounding="trec9", average=False),
    "Rndcg": partial(kernels.rndcg, average=False),
    "binG": partial(kernels.bin_g, average=False),
    "set_P": partial(kernels.precision, cutoff=None, average=False),
    "set_recall": partial(kernels.recall, cutoff=None, average=False),
    "set_F": partial(kernels.f_measure, cutoff=None, beta=1.0, average=False),
    "set_map": kernels.set_map,
    "set_relative_P": partial(kernels.relative_precision, cutoff=None, average=False),
    "utility": partial(kernels.utility, a=1.0, b=-1.0, c=0.0, d=0.0, collection=0),
    **{f"P_{k}": partial(kernels.precision, cutoff=k, average=False) for k in CUTOFFS},
    **{f"recall_{k}": partial(kernels.recall, cutoff=k, average=False) for k in CUTOFFS},
    **{f"relative_P_{k}": partial(kernels.relative_precision, cutoff=k, average=False) for k in CUTOFFS},
    **{f"success_{k}": partial(kernels.success, cutoff=k, average=False) for k in CUTOFFS},
    **{
        f"map_cut_{k}": partial(kernels.average_precision, cutoff=k, denominator="relevant", average=False)
        for k in CUTOFFS
    },
    **{
        f"iprec_at_recall_{level:.2f}": partial(
            kernels.interpolated_precision, recall=level, rounding="trec9", average=False
        )
        for level in TENTHS
    },
    **{f"Rprec_mult_{m:.2f}": partial(kernels.r_precision, multiple=m, average=False) for m in MULTIPLES},
}

CUTS = ",".join(map(str, CUTOFFS))
MEASURES = {
    *(name for name in BY_GRADE if "_cut" not in name),
    *(name for name in BY_RELEVANCE if name.startswith(("num", "set")) or "_" not in name),
    *("recip_rank", "11pt_avg", f"ndcg_cut.{CUTS}", f"map_cut.{CUTS}", f"P.{CUTS}", f"recall.{CUTS}"),
    *(f"relative_P.{CUTS}", f"success.{CUTS}", "iprec_at_recall." + ",".join(map(str, TENTHS))),
    "Rprec_mult." + ",".join(map(str, MULTIPLES)),
}


def assert_equals_trec_eval(qrels: Qrels, run: Run, *, rel: int, judged_only: bool = False) -> None:
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, MEASURES, relevance_level=rel, judged_docs_only_flag=judged_only)
    theirs = evaluator.evaluate(run)
    columns = oracles.columns_from(qrels, run)
    if judged_only:
        columns = Columns(*kernels.condense(columns))
    ours = {name: kernel(columns) for name, kernel in BY_GRADE.items()}
    ours |= {name: kernel(columns, rel=rel) for name, kernel in BY_RELEVANCE.items()}
    queries = sorted(theirs, key=str.encode)
    for name, values in ours.items():
        assert values.tolist() == [theirs[query][name] for query in queries], (name, rel)


DOCS = [f"d{i}" for i in range(12)] + ["é", "Z", "a-long-id"]
SCORES = st.integers(-8, 8).map(lambda eighths: eighths / 8)
# trec_eval reads past its table with a query of negative grades only, and bpref with a level above the highest grade.
JUDGED = st.dictionaries(st.sampled_from(DOCS), st.sampled_from([-2, -1, 0, 0, 1, 1, 2, 3])).map(
    lambda grades: {**grades, "top": 3}
)
RETRIEVED = st.dictionaries(st.sampled_from([*DOCS, "top"]), SCORES, min_size=1)
IDS = st.sampled_from(["1", "2", "10", "q"])


@settings(deadline=None)
@given(st.dictionaries(IDS, JUDGED, min_size=1), st.dictionaries(IDS, RETRIEVED, min_size=1), st.integers(1, 3))
def test_every_shared_measure_equals_trec_eval(qrels: Qrels, run: Run, rel: int) -> None:
    assert_equals_trec_eval(qrels, run, rel=rel)


@settings(deadline=None)
@given(st.dictionaries(IDS, JUDGED, min_size=1), st.dictionaries(IDS, RETRIEVED, min_size=1), st.integers(1, 3))
def test_condensed_rankings_equal_trec_eval_with_judged_documents_only(qrels: Qrels, run: Run, rel: int) -> None:
    # With nothing judged retrieved trec_eval divides by 0.
    run = {query: {**scores, "top": scores.get("top", -0.5)} for query, scores in run.items()}
    assert_equals_trec_eval(qrels, run, rel=rel, judged_only=True)


def test_where_trec_eval_is_undefined_the_value_is_defined() -> None:
    nothing_judged = Columns(*kernels.condense(oracles.columns_from({"1": {"a": 1}}, {"1": {"b": 1.0}})))
    only_negative = oracles.columns_from({"1": {"a": -1}}, {"1": {"a": 1.0}})
    above_every_grade = oracles.columns_from({"1": {"a": 1, "b": 0}}, {"1": {"b": 1.0, "a": 0.5}})
    for columns, rel in ((nothing_judged, 1), (only_negative, 1), (above_every_grade, 9)):
        for name, kernel in BY_RELEVANCE.items():
            if not name.startswith(("num", "utility")):
                assert kernel(columns, rel=rel).tolist() == [0.0], name
    assert all(np.isfinite(kernel(nothing_judged)).all() for kernel in BY_GRADE.values())


ROBUST03 = Path(os.environ.get("CERTUS_ROBUST03", Path(__file__).parents[3] / "shared" / "data" / "robust03"))


def robust03_qrels() -> Qrels:
    qrels: Qrels = {}
    with gzip.open(ROBUST03 / "qrels.txt.gz", "rt") as lines:
        for line in lines:
            query, _, doc, grade = line.split()
            qrels.setdefault(query, {})[doc] = int(grade)
    return qrels


def robust03_run(path: Path) -> Run:
    run: Run = {}
    with gzip.open(path, "rt") as lines:
        for line in lines:
            query, _, doc, _, score, _ = line.split()
            run.setdefault(query, {})[doc] = float(np.float32(score))
    return run


@pytest.mark.skipif(not ROBUST03.is_dir(), reason="the TREC 2003 Robust runs are not here")
def test_robust03_equals_trec_eval() -> None:
    qrels = robust03_qrels()
    paths = sorted(ROBUST03.glob("input.*.gz"))
    assert paths
    for path in paths:
        run = robust03_run(path)
        for rel in (1, 2):
            assert_equals_trec_eval(qrels, run, rel=rel)
        assert_equals_trec_eval(qrels, run, rel=1, judged_only=True)
