"""The compiled functions of certus. Nothing but this module imports `certus._core`.

A ranking kernel takes the columns of a `Ranking` and keywords, and returns one float64 per query. What is
common to all of them:

- A document is relevant when its grade is at least ``rel`` and not negative. A negative grade means "in the pool but
  not judged" (as trec_eval and infAP use it).
- ``cutoff=None`` is the whole list.
- ``average=True`` gives the exact expected value over all orders of the documents in each tie group, each order of a
  group equally likely; ``average=False`` takes the ranks as they are settled.
- ``gains`` replaces the gain of single grades, as trec_eval's ``-m ndcg.1=3.5,2=9`` does.
- A query without relevant documents scores 0, as in trec_eval, unless the kernel says otherwise.
"""

import copyreg
from typing import Any

from certus import _core
from certus._core import *
from certus._core import ScoreMetric, load_array_api

__version__ = _core.__version__
load_array_api()


def _score_metric(name: str, *parameters: Any) -> ScoreMetric:
    """Rebuild a compiled metric from its constructor's name and parameters; for unpickling."""
    metric: ScoreMetric = getattr(ScoreMetric, name)(*parameters)
    return metric


def _recipe(metric: ScoreMetric) -> tuple[Any, tuple[Any, ...]]:
    """Function and arguments that rebuild a compiled metric; for pickling."""
    name, parameters = metric.recipe()
    return _score_metric, (name, *parameters)


copyreg.pickle(ScoreMetric, _recipe)
