# Written by `make docs` from the names listed in __init__.py; do not edit.
from certus import agreement, audit, chance, classification, clustering, comparison, compat, data, efficiency, inference, io, metrics, multilabel, plot, pooling, ranking, regression, spark, statistic, tasks, testing, values
from certus.chance import HitList
from certus.comparison import Comparison
from certus.inference import Estimate, Interval, from_folds
from certus.io import Qrels, Run, read_qrels, read_run
from certus.metrics import Metric, metric, parse
from certus.core.errors import CertusError, DataError, MetricNameError
from certus.entry import compare, evaluate, report
from certus.scoring import scorer
from certus.states import State
from certus.table import Table

__version__: str
_PUBLIC: dict[str, tuple[str, ...]]
_INSIDE: dict[str, tuple[str, ...]]
__all__ = ["CertusError", "Comparison", "DataError", "Estimate", "HitList", "Interval", "Metric", "MetricNameError", "Qrels", "Run", "State", "Table", "__version__", "agreement", "audit", "chance", "classification", "clustering", "compare", "comparison", "compat", "data", "efficiency", "evaluate", "from_folds", "inference", "io", "metric", "metrics", "multilabel", "parse", "plot", "pooling", "ranking", "read_qrels", "read_run", "regression", "report", "scorer", "spark", "statistic", "tasks", "testing", "values"]
