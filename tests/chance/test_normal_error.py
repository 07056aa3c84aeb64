"""Errors of the normal approximations of Zhang & Su (2012), Table III."""

import numpy as np
import pytest

from certus import DataError, chance


def test_the_first_setting_of_the_paper_has_its_tabled_figures() -> None:
    # m = 100, n = 1000: the paper's Table III has .1037, .0001392 and the quantiles .0806, .1037, .1268
    found = chance.normal_error(1000, 100, levels=(0.05,))
    paper = found.laws["zhang-su"]
    assert (round(paper.mean, 4), round(paper.var, 7)) == (0.1037, 0.0001392)
    assert [round(each, 4) for each in paper.quantiles] == [0.0806, 0.1037, 0.1269]
    # its simulated row: variance .0001286, quantiles .0876, .1044 and .1321
    assert found.var == pytest.approx(0.0001286, rel=0.03)
    assert [round(each, 4) for each in found.quantiles] == [0.0876, 0.1044, 0.1321]
    assert paper.size[0] == pytest.approx(0.077, abs=5e-4)
    assert found.laws["normal"].stated[0] == pytest.approx(0.034, abs=5e-4)
    assert "true size" in str(found)


def test_sizes_are_those_of_random_rankings() -> None:
    found = chance.normal_error(60, 6, levels=(0.1, 0.01))
    rng = np.random.default_rng(8)
    ranks = np.sort(np.argsort(rng.random((100_000, 60)), axis=1)[:, :6] + 1, axis=1)
    values = (np.arange(1, 7) / ranks).mean(axis=1)
    for law in found.laws.values():
        for level, size in zip((1.2815515655446004, 2.3263478740408408), law.size, strict=True):
            assert (values >= law.mean + level * law.var**0.5).mean() == pytest.approx(size, abs=4e-3)


def test_levels_are_checked() -> None:
    for levels in ((), (0.0,), (1.0,), (0.05, 2.0)):
        with pytest.raises(DataError, match="give levels strictly between 0 and 1"):
            chance.normal_error(8, 3, levels)
