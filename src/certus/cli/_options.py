"""Choices of the command line."""

from enum import StrEnum
from typing import TYPE_CHECKING

from certus.table.output import FORMATS

__all__ = [
    "Average",
    "ComparedTask",
    "Dialect",
    "Format",
    "Picture",
    "Queries",
    "ScoredTask",
    "Task",
    "Ties",
    "Unjudged",
    "Written",
]


class Queries(StrEnum):
    """Which queries are averaged over."""

    intersection = "intersection"
    judged = "judged"


class Ties(StrEnum):
    """How documents with equal scores are ordered."""

    trec = "trec"
    input = "input"
    average = "average"
    range = "range"


class Unjudged(StrEnum):
    """What a retrieved document without judgment counts as."""

    nonrelevant = "nonrelevant"
    remove = "remove"
    bounds = "bounds"


if TYPE_CHECKING:
    Format = StrEnum
else:
    Format = StrEnum("Format", list(FORMATS))
    Format.__doc__ = "How a result is written: every format that `certus.table.output` declares."


class Picture(StrEnum):
    """What is drawn of a comparison."""

    differences = "differences"
    units = "units"
    critical_difference = "critical-difference"


class Written(StrEnum):
    """How an answer that is no table is written."""

    text = "text"
    json = "json"


class Dialect(StrEnum):
    """Version of trec_eval."""

    nine = "9"
    ten = "10"


class Average(StrEnum):
    """How a metric is averaged over classes."""

    binary = "binary"
    macro = "macro"
    micro = "micro"
    weighted = "weighted"


class Task(StrEnum):
    """Whose metrics."""

    ranking = "ranking"
    classification = "classification"
    multilabel = "multilabel"
    regression = "regression"
    clustering = "clustering"
    efficiency = "efficiency"


class ComparedTask(StrEnum):
    """What the systems that are compared predict."""

    classification = "classification"
    regression = "regression"


class ScoredTask(StrEnum):
    """Whose metrics `certus score` states."""

    regression = "regression"
    multilabel = "multilabel"
    clustering = "clustering"
    efficiency = "efficiency"
