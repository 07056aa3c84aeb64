import numpy as np
from numpy.typing import NDArray

__version__: str

def resample_sums(rows: NDArray[np.float64], *, replicates: int, seed: int) -> NDArray[np.float64]:
    """The column sums of `rows`, one row per unit, over resamples of the units, one row per replicate."""

def resample_counts(units: int, *, first: int, replicates: int, seed: int) -> NDArray[np.uint32]:
    """How often each unit stands in the resamples from number `first` on, one row per replicate."""
