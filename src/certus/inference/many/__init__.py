"""Many comparisons at once: adjusted p-values and intervals that hold together.

Whoever imports a part of it has all corrections declared, always in one order.
"""

from certus.inference.many import adjust, joint

__all__ = ["adjust", "joint"]
