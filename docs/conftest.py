"""Pages whose examples need a library that users of certus may not have."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("sklearn") else ["scikit-learn.md"]
