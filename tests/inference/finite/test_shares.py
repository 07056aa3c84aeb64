"""Shares of two counts: where they reach a value."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus.inference.finite.strata_posterior import ShareOf

COUNTS = st.floats(1, 1e6)


@pytest.mark.parametrize("share", [ShareOf(), ShareOf(40, 2), ShareOf(40, 1, 1)])
@given(COUNTS, st.floats(0.05, 0.95))
@settings(max_examples=20)
def test_a_share_has_the_value_at_its_boundary(share: ShareOf, x: float, r: float) -> None:
    y = share.boundary(np.array([x]), r)
    assert share.value(np.array([x]), y) == pytest.approx(r, rel=1e-9)
    assert share.inverse(y, r) == pytest.approx(x, rel=1e-6)
