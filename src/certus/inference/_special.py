"""Quantiles and distribution functions, from scipy.special; the one place that imports it, when first used."""

import functools
import importlib
from types import ModuleType

__all__ = ["beta_quantile", "normal_cdf", "normal_quantile", "preload", "t_quantile"]


@functools.cache
def preload() -> ModuleType:
    """Import scipy.special (about 0.2 s); a program may do it on a thread while it reads files."""
    return importlib.import_module("scipy.special")


def normal_quantile(p: float) -> float:
    """Quantile of the standard normal distribution."""
    return float(preload().ndtri(p))


def normal_cdf(x: float) -> float:
    """Distribution function of the standard normal distribution."""
    return float(preload().ndtr(x))


def t_quantile(p: float, df: float) -> float:
    """Quantile of Student's t distribution."""
    return float(preload().stdtrit(df, p))


def beta_quantile(p: float, a: float, b: float) -> float:
    """Quantile of the beta distribution."""
    return float(preload().betaincinv(a, b, p))
