"""Lines that certus prints in the place of trec_eval."""

from dataclasses import replace

from trec_eval_oracle import Data

from certus.compat.trec_eval import Options, trec_eval_lines
from certus.data.ranking import Columns
from certus.io import as_qrels
from certus.io.rank import settle

OFFICIAL = Options()
TEN = Options(dialect="10")


def lines(data: Data, *measures: str, options: Options = OFFICIAL, run_id: str = "r") -> list[str]:
    """The lines for a run, by default those of the official measures."""
    chosen = replace(options, measures=measures or options.measures)
    settled = settle(
        as_qrels(data.qrels),
        data.run,
        queries="judged" if chosen.complete else "intersection",
        trec_eval=chosen.dialect,
    )
    return list(trec_eval_lines(settled.queries, Columns(*settled.kernel.columns), chosen, run_id))
