"""Every metric that trec_eval has, by trec_eval's name, against trec_eval 9.0.8 (pytrec-eval-terrier)."""

import math
import os
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from crossed import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from trec_eval_oracle import read

from certus import parse
from certus.io import as_qrels
from certus.io.rank import rank
from certus.metrics import declared
from certus.metrics.spellings import TREC_EVAL
from certus.statistic import Mean

# certus's spelling: pytrec_eval's request, and the key of its answer where it differs.
NAMES: dict[str, tuple[str, str]] = {
    **{
        name: (name, name)
        for name in (
            *("map", "Rprec", "bpref", "recip_rank", "11pt_avg", "ndcg", "ndcg_rel", "Rndcg", "infAP", "G", "binG"),
            *("set_P", "set_recall", "set_map", "set_relative_P", "set_F", "utility"),
            *("num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret"),
        )
    },
    **{
        f"{base}_{k}": (f"{base}.{k}", f"{base}_{k}")
        for base in ("P", "recall", "map_cut", "ndcg_cut", "success", "relative_P")
        for k in (1, 3, 5, 20)
    },
    **{f"iprec_at_recall_{r:.2f}": (f"iprec_at_recall.{r}", f"iprec_at_recall_{r:.2f}") for r in (0.0, 0.1, 0.5, 0.7)},
    **{f"Rprec_mult_{m:.2f}": (f"Rprec_mult.{m}", f"Rprec_mult_{m:.2f}") for m in (0.2, 1.0, 1.8)},
    "set_F_0.25": ("set_F.0.25", "set_F"),
    "set_F_4": ("set_F.4", "set_F"),
    # trec_eval's values per query are logarithms here; the plain ones are checked through map and bpref.
    "gm_map": ("gm_map", "gm_map"),
    "gm_bpref": ("gm_bpref", "gm_bpref"),
}

DOCUMENTS = st.sampled_from([f"d{index}" for index in range(12)])
RUNS = st.dictionaries(DOCUMENTS, st.integers(0, 6), min_size=1)
JUDGMENTS = st.dictionaries(DOCUMENTS, st.integers(-1, 3), min_size=1)
# Where a grade is negative or none is positive, trec_eval reads its gains past their end and may never return.
GAINFUL = st.builds(lambda some, one: some | {one: 2}, st.dictionaries(DOCUMENTS, st.integers(0, 3)), DOCUMENTS)


Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]


def assert_equals_trec_eval(name: str, qrels: Qrels, run: Run, *, rel: int = 1, judged_only: bool = False) -> None:
    """Bit for bit, but for geometric means."""
    request, key = NAMES[name]
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {request}, relevance_level=rel, judged_docs_only_flag=judged_only)
    answers = evaluator.evaluate(run)
    theirs = [answers[query][key] for query in sorted(answers, key=str.encode)]
    metric = parse(name).using(judged_only=judged_only)
    if "rel" in metric.parameters and name != "num_ret":  # the number of all documents
        metric = metric.using(rel=rel)
    statistic = metric.compute(rank(as_qrels(qrels), run).ranking)
    assert isinstance(statistic, Mean)
    if name.startswith("gm_"):
        assert_allclose(np.log(np.maximum(statistic.values, 1e-5)), theirs, rtol=1e-12, atol=1e-12)
        assert_allclose(math.log(statistic.value), np.mean(theirs), rtol=1e-12, atol=1e-12)
    else:
        assert statistic.values.tolist() == theirs


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=examples(12, 25))
@given(data=st.data(), rel=st.integers(1, 3), judged_only=st.booleans())
def test_a_metric_agrees_with_trec_eval(name: str, data: st.DataObject, rel: int, judged_only: bool) -> None:
    gains = name.startswith(("ndcg", "Rndcg", "G"))
    judgments = GAINFUL if gains else JUDGMENTS.map(lambda grades: grades | {"top": 3})
    queries = data.draw(st.lists(st.tuples(judgments, RUNS), min_size=1, max_size=3))
    if judged_only:  # with nothing judged retrieved trec_eval divides by 0
        queries = [(judged | {"top": 3}, found | {"top": 2}) for judged, found in queries]
    qrels = {f"q{index}": judged for index, (judged, _) in enumerate(queries)}
    run = {f"q{index}": {d: float(s) for d, s in found.items()} for index, (_, found) in enumerate(queries)}
    assert_equals_trec_eval(name, qrels, run, rel=1 if gains else rel, judged_only=judged_only)


@pytest.mark.parametrize("name", NAMES)
def test_where_trec_eval_is_undefined_the_value_is_defined(name: str) -> None:
    for qrels, run, told in (
        ({"1": {"a": 1}}, {"1": {"b": 1.0}}, {"judged_only": True}),
        ({"1": {"a": -1}}, {"1": {"a": 1.0}}, {}),
        ({"1": {"a": 1, "b": 0}}, {"1": {"b": 1.0, "a": 0.5}}, {"rel": 9}),
    ):
        metric = parse(name)
        if told.keys() <= metric.parameters.keys():
            assert math.isfinite(metric.using(**told).compute(rank(as_qrels(qrels), run).ranking).value)


ROBUST03 = Path(os.environ.get("CERTUS_ROBUST03", Path(__file__).parents[4] / "shared" / "data" / "robust03"))


@pytest.mark.skipif(not ROBUST03.is_dir(), reason="the TREC 2003 Robust runs are not here")
def test_robust03_equals_trec_eval() -> None:
    for path in sorted(ROBUST03.glob("input.*.gz")):
        qrels, run = read(ROBUST03 / "qrels.txt.gz", path)
        judged = {query: dict(found) for query, found in qrels.items()}
        scores = {query: {doc: float(np.float32(x)) for doc, x in found.items()} for query, found in run.items()}
        for name in NAMES:
            assert_equals_trec_eval(name, judged, scores)


def test_every_trec_eval_spelling_is_checked() -> None:
    spellings = [each.text for metric in declared() for each in metric.spelled if each.tool == TREC_EVAL.name]
    roots = {text.partition("{")[0].rstrip("_") for text in spellings}
    assert roots - {"ndcg_cut"} <= {name.rstrip("0123456789.,-").rstrip("_") for name in NAMES} | {"set_F"}
