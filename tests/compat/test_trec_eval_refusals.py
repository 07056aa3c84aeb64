"""Refusals of trec_eval's face: measures, formats and data that are not computed here, by name."""

import pytest
from trec_eval_face import TEN, lines
from trec_eval_oracle import Data

from certus import DataError, MetricNameError
from certus.cli import app
from certus.compat.trec_eval import Options, trec_eval_lines
from certus.core import kernels
from certus.data.ranking import Columns
from certus.io import as_qrels
from certus.io.rank import rank


def test_a_run_without_judged_queries_is_bad_data() -> None:
    ranking = rank(as_qrels({"1": {"a": 1}}), {"1": {"a": 1.0}}).ranking
    nothing = Columns(*kernels.truncate(ranking.columns, 0))
    with pytest.raises(DataError, match="no query is in both"):
        list(trec_eval_lines(("1",), nothing, Options(), "r"))


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("P.-5", "cutoff of P is '-5'; it must be a whole number from 1 to 4294967295"),
        ("P.5,x", "cutoff of P is 'x'"),
        ("P.1e3", "cutoff of P is '1e3'"),
        ("iprec_at_recall.nan", "parameter of iprec_at_recall is 'nan'"),
        ("iprec_at_recall.0.5,.50", "iprec_at_recall has the parameter 0.5 twice"),
        ("11pt_avg.0.5,0.2", "give them in increasing order"),
        ("utility.1,2,3,4,5", "utility takes 4 parameters but '1,2,3,4,5' has 5"),
        ("ndcg.1=3,1=4", "gain of ndcg is '1=4'; write each grade once"),
        ("ndcg.-1=3", "gain of ndcg is '-1=3'"),
        ("", "trec_eval has no measure named ''"),
        ("rbp.p=1.5", "parameters of rbp are 'p=1.5'; give p once, between 0 and 1"),
        ("rbp.p=.5,p=.6", "give p once"),
        ("rbp_resid.q=.5", "gain of rbp_resid is 'q=.5'"),
    ],
)
def test_wrong_measures_are_named(measure: str, said: str) -> None:
    with pytest.raises(MetricNameError, match=said.replace("(", r"\(")):
        lines(Data({"1": {"a": 1}}, {"1": {"a": 1.0}}), measure, options=TEN)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("prefs", "'prefs' is not read: preference judgments and their measures (prefs_simp, prefs_pair, prefs_avgjg"),
        ("qrels_prefs", "'qrels_prefs' is not read: preference judgments"),
        ("qrels_jg", "'qrels_jg' is not read: judgments by judgment group and their measures (map_avgjg, P_avgjg"),
        ("tsv", "'tsv' is not a format; only 'qrels' is read"),
    ],
)
def test_other_formats_of_judgments_are_refused_with_what_is_missing(
    value: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.run(["trec-eval", "-R", value, "qrels.txt", "run.txt"]) == 2
    assert said in " ".join(capsys.readouterr().err.split())


def test_measures_of_preferences_are_refused_with_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    of_groups = ("P_avgjg", "Rprec_mult_avgjg", "map_avgjg", "qrels_jg", "all_prefs", "prefs")
    numbers = ("num_prefs_ful", "num_prefs_ful_ret", "num_prefs_poss", "avgjg", "avgjg_Rnonrel", "avgjg_Rnonrel_ret")
    kinds = ("avgjg_imp", "avgjg_ret", "pair", "pair_imp", "pair_ret", "simp", "simp_imp", "simp_ret")
    for name in (*of_groups, *(f"prefs_{each}" for each in (*numbers, *kinds))):
        assert app.run(["trec-eval", "-m", name, "qrels.txt", "run.txt"]) == 2
        said = " ".join(capsys.readouterr().err.split())
        assert (
            f"measure '{name}' is not here: certus reads neither preference judgments (-R prefs, qrels_prefs)" in said
        )
