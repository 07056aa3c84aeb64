"""The results of ranking metrics, with what their docstrings say of them."""

from typing import Annotated, TypeAlias

from certus.metrics._check import Doc
from certus.statistic import Mean

__all__ = ["PerQuery", "Total"]

PerQuery: TypeAlias = Annotated[Mean, Doc("One value per query, in {bounds}.")]
"""A mean over queries."""
Total: TypeAlias = Annotated[Mean, Doc("One count per query; the value is their sum.")]
"""A sum over queries."""
