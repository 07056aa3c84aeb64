"""Names for the types of arrays."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["Floats", "Ints"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
"""Counts, and whole numbers that stand for labels, cells or units."""
