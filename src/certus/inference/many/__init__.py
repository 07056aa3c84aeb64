"""Many comparisons at once: adjusted p-values and intervals that hold together.

Whoever imports a part of it has all corrections declared, always in one order.
"""

from certus.inference.many import adjust, max_t, tukey_hsd

__all__ = ["adjust", "max_t", "tukey_hsd"]
