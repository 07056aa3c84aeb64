"""Shared parts of ranking metrics: their results, with paragraphs for docstrings, and the facts that most have."""

from functools import partial
from typing import Annotated, TypeAlias

from certus.metrics._declare import metric
from certus.metrics.check import Doc
from certus.statistic import Mean

__all__ = ["PerQuery", "Total", "ranked"]

PerQuery: TypeAlias = Annotated[Mean, Doc("One value per query, in {bounds}.")]
"""A mean over queries."""
Total: TypeAlias = Annotated[Mean, Doc("One count per query; the value is their sum.")]
"""A sum over queries."""
ranked = partial(metric, averages_ties=True, monotone=True)
"""Declares a metric that gives expected values under averaged ties, and that no better document further up harms."""
