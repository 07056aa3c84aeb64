"""Measure objects of ir_measures, known by what they have; ir_measures itself is never imported."""

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from certus.errors import MetricNameError

__all__ = ["Measure", "text_of"]


@runtime_checkable
class Measure(Protocol):
    """A measure as ir_measures has it: ``AP(rel=2)@100``."""

    NAME: str | None
    AT_PARAM: str
    SUPPORTED_PARAMS: Mapping[str, Any]
    params: Mapping[str, Any]


def text_of(measure: Measure) -> str:
    """The measure as ir_measures prints it.

    Raises
    ------
    MetricNameError
        It is a function of the user's, made by ``ir_measures.define``.
    """
    if hasattr(measure, "runtime_impl"):
        raise MetricNameError(
            f"{measure.NAME or 'a measure'} of ir_measures was defined by a function of its own, which certus does not "
            "run; declare a metric instead (certus.metric)"
        )
    return str(measure)
