"""Recall, precision and F1 of a classifier or a search when only a sample was checked by hand."""

from certus.audit.post_stratified import post_stratified
from certus.audit.strata import StrataAudit, Stratum, strata
from certus.audit.two_samples import two_samples

__all__ = ["StrataAudit", "Stratum", "post_stratified", "strata", "two_samples"]
