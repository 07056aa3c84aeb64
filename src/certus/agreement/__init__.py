"""Agreement between two rankings, such as systems by two metrics or documents by two systems."""

from certus.agreement.correlation import kendall_tau, spearman, tau_ap
from certus.agreement.rbo import rbo

__all__ = ["kendall_tau", "rbo", "spearman", "tau_ap"]
