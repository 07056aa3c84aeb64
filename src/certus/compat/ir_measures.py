"""A provider for ir_measures (0.4): its measures, computed by certus.

``certus.compat.ir_measures.register()`` puts it first, so that `ir_measures.calc_aggregate`, its evaluators and what is
built on them, such as PyTerrier's ``Experiment``, use certus; ``python -m certus.compat.ir_measures`` is ir_measures'
command line with it. Scores are rounded to 32 bits and ties broken by descending id for all measures, as trec_eval 9
does, which ir_measures asks first.
"""

import math
import sys
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any

import ir_measures
from ir_measures import providers
from ir_measures.util import QrelsConverter, RunConverter

from certus.compat.trec_eval import per_query
from certus.core.errors import MetricNameError
from certus.data import Ranking
from certus.io import as_qrels, as_run
from certus.io.rank import rank
from certus.metrics import Metric, parse

__all__ = ["Evaluator", "Provider", "register"]


def __dir__() -> list[str]:
    return __all__


class Provider(providers.Provider):
    """Measures that certus computes, for the registry of ir_measures."""

    NAME = "certus"

    def supports(self, measure: Any) -> bool:
        """True if certus computes this measure with these parameters."""
        measure.validate_params()
        try:
            parse(measure)
        except MetricNameError:
            return False
        return True

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> "Evaluator":
        return Evaluator(measures, qrels)


class Evaluator(providers.Evaluator):
    """Measures of runs against one set of judgments; `Provider.evaluator` makes it.

    Raises
    ------
    ValueError
        Certus does not compute a measure, or the judgments cannot be read; they hold a document twice, for example.
    """

    def __init__(self, measures: Iterable[Any], qrels: Any) -> None:
        # ir_measures hands over sets, whose order differs from one process to the next
        chosen = sorted(measures, key=str) if isinstance(measures, AbstractSet) else measures
        self._metrics: dict[Any, Metric] = {measure: parse(measure) for measure in chosen}
        converter = QrelsConverter(qrels)
        data, columns = _data_and_columns(converter.predict_type(), converter.qrels, {"grade": "relevance"})
        judged = any(map(len, data.values())) if isinstance(data, dict) else len(data)
        self._qrels = as_qrels(data, "qrels", **columns) if judged else None
        queries = map(str, data) if isinstance(data, dict) else self._qrels.queries if self._qrels else ()
        super().__init__(list(self._metrics), list(queries))

    def iter_calc(self, run: Any) -> Iterator[Any]:
        """The value of each measure for each judged query; its default where the run lacks the query."""
        converter = RunConverter(run)
        data, columns = _data_and_columns(converter.predict_type(), converter.run, {"score": "score"})
        run_read = as_run(data, "run", **columns) if len(data) else None
        there = set() if run_read is None else set(run_read.queries)
        ranking: Ranking | None = None
        if self._qrels is not None and run_read is not None and set(self._qrels.queries) & there:
            ranking = rank(self._qrels, run_read, queries="judged", trec_eval="9").ranking
        for measure, metric in self._metrics.items():
            values = () if ranking is None else zip(ranking.queries, per_query(metric, ranking).tolist(), strict=True)
            by_query = {query: value for query, value in values if query in there}
            for query in self.qrel_qids:
                value = by_query.get(query, math.nan if metric.name == "Accuracy" else measure.DEFAULT)
                if not math.isnan(value):
                    yield ir_measures.Metric(query_id=query, measure=measure, value=value)


def _data_and_columns(kind: tuple[str, str | None], data: Any, columns: dict[str, str]) -> tuple[Any, dict[str, str]]:
    """The data to read, from a shape that ir_measures takes, and the columns of a frame."""
    shape, problem = kind
    if shape == "UNKNOWN":
        raise ValueError(f"neither a dict of dicts, a DataFrame nor named tuples as of ir_measures: {problem}")
    if shape == "pd_dataframe":
        return data, {"query": "query_id", "doc": "doc_id", **columns}
    return (data if isinstance(data, dict) else list(data)), {}


def register(*, first: bool = True) -> Provider:
    """Make the provider known to ir_measures as ``certus``.

    Parameters
    ----------
    first
        Also ask it before ir_measures' own providers, so that `ir_measures.calc_aggregate` and the like use certus for
        all measures that it has. Otherwise it is used where it is named: ``ir_measures.providers.registry["certus"]``,
        ``--provider certus``.

    Returns
    -------
    Provider
        The same one each time.

    Examples
    --------
    >>> import ir_measures
    >>> provider = register(first=False)
    >>> qrels, run = {"q1": {"d1": 1, "d2": 0}}, {"q1": {"d2": 2.0, "d1": 1.0}}
    >>> provider.calc_aggregate([ir_measures.AP, ir_measures.nDCG @ 10], qrels, run)
    {AP: 0.5, nDCG@10: 0.6309297535714575}
    """
    provider: Provider = providers.registry.get(Provider.NAME) or providers.register(Provider())
    provider_list = ir_measures.DefaultPipeline.providers
    if first and provider not in provider_list:
        provider_list.insert(0, provider)
    return provider


if __name__ == "__main__":
    from ir_measures.__main__ import main_cli

    register()
    try:
        main_cli()
    except (OSError, ValueError) as error:
        sys.exit(f"certus: {error}")
