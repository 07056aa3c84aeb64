"""A ranked list of which only a random sample was judged."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["SampledList"]


@dataclass(frozen=True, slots=True, eq=False)
class SampledList:
    """One query's list, and the documents from which those to judge were drawn.

    Attributes
    ----------
    query
        The query's id.
    ranks
        The rank of each document known, from 1; 0 if it was not retrieved.
    grades
        Its grade; negative where it was not judged.
    inclusion
        The chance it had to be judged, above 0.
    strata
        Its stratum, as a number from 0; None where only chances are known.

    In each stratum all documents are known, judged or not, and those judged are a simple random sample of them. Without
    strata the documents known are the ones judged.
    """

    query: str
    ranks: NDArray[np.int64]
    grades: NDArray[np.int64]
    inclusion: NDArray[np.float64]
    strata: NDArray[np.int64] | None = None
