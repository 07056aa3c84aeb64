"""Agreement between two rankings, such as systems by two metrics or documents by two systems."""

from certus.agreement.correlation import kendall_tau, spearman
from certus.agreement.rbo import rbo
from certus.agreement.tau_ap import tau_ap

__all__ = ["kendall_tau", "rbo", "spearman", "tau_ap"]
