"""The compiled kernels; the only module that imports `certus._core`."""

from certus._core import resample_counts, resample_sums

__all__ = ["resample_counts", "resample_sums"]
