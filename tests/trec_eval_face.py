"""Lines that certus prints in the place of trec_eval."""

from dataclasses import replace
from typing import Literal

from trec_eval_oracle import Data

from certus.compat.trec_eval import Options, trec_eval_lines
from certus.io import as_qrels
from certus.io.rank import rank

OFFICIAL = Options()
TEN = Options(dialect="10")


def lines(data: Data, *measures: str, options: Options = OFFICIAL, run_id: str = "r") -> list[str]:
    """The lines for a run, by default those of the official measures."""
    chosen = replace(options, measures=measures or options.measures)
    queries: Literal["judged", "intersection"] = "judged" if chosen.complete else "intersection"
    ranking = rank(as_qrels(data.qrels), data.run, queries=queries, trec_eval=chosen.dialect).ranking
    return list(trec_eval_lines(ranking.queries, ranking.columns, chosen, run_id))
