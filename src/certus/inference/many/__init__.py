"""Many comparisons at once: adjusted p-values and simultaneous intervals.

Whoever imports a part of it has all corrections declared, always in one order.
"""

from certus.inference.many import adjust, joint

__all__ = ["adjust", "joint"]
