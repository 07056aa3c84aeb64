"""Pages whose examples need a library that users of certus may not have."""

from importlib.util import find_spec

_NEEDS = {"other-tools.md": "ir_measures", "scikit-learn.md": "sklearn"}
collect_ignore = [page for page, library in _NEEDS.items() if not find_spec(library)]
