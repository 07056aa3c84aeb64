"""Metrics of systems, each value with its interval, in one table: the engine behind `certus.evaluate`."""

from certus.evaluation._evaluate import evaluate, report

__all__ = ["evaluate", "report"]
