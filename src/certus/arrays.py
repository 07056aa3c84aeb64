"""Names for the types of arrays."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["Codes", "Floats"]

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
"""Whole numbers that stand for labels, cells or units."""
