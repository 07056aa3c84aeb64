"""A pytest plugin that runs ir_measures' own tests with certus in place of its providers.

Providers of measures that certus lacks stay: compat, cwl_eval, pyndeval and runtime. How many evaluators of certus a
test made is written into the report, as its property ``evaluators``.
"""

from typing import Any

import pytest

_REPLACED = ("accuracy", "gdeval", "judged", "msmarco", "pytrec_eval", "ranx", "trectools")
_CLASSES = ("PytrecEvalProvider", "GdevalProvider")
_made = 0


def pytest_configure() -> None:
    """Put certus in place of the providers, before any test module is imported."""
    import ir_measures

    from certus.compat import ir_measures as face

    made = face.Provider._evaluator

    def counted(*given: Any) -> Any:
        global _made
        _made += 1
        return made(*given)

    pytest.MonkeyPatch().setattr(face.Provider, "_evaluator", counted)
    provider = face.register()
    for name in _REPLACED:
        setattr(ir_measures, name, provider)
    for name in _CLASSES:
        setattr(ir_measures.providers, name, face.Provider)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    """Note how many evaluators the test made."""
    before = _made
    try:
        return (yield)
    finally:
        item.user_properties.append(("evaluators", _made - before))
