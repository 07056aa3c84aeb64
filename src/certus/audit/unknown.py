"""Recall when it is not known how many positives there are."""

from certus.audit._check import checked_level, count
from certus.errors import DataError, called
from certus.inference import Estimate
from certus.inference.forms import FORMS
from certus.statistic import Proportion

__all__ = ["unknown_positives"]


def unknown_positives(*, checked: int, hits: int, level: float = 0.95, method: str = "blaker") -> Estimate:
    """Recall from a random sample of the positives, whose total number is not known.

    The interval is the binomial one, as if the positives had no end. For a finite number of them, whatever it is, the
    sample says more, so that an exact binomial method covers more than its level: with 100 checked of 1,000,
    Clopper and Pearson's covers at least 0.961 of the time at the level 0.95. Precision cannot be had from this sample.

    Parameters
    ----------
    checked
        How many positives were drawn at random and checked, at least 1.
    hits
        How many of them are predicted.
    level
        Wanted coverage, strictly between 0 and 1.
    method
        ``"blaker"`` or ``"clopper-pearson"``, which never cover less than the level, or any method for a proportion:
        ``"wilson"``, ``"jeffreys"``, ``"mid-p"``, ``"agresti-coull"``, ``"wald"``.

    Raises
    ------
    DataError
        A number is negative or not whole, or there are more hits than checked.
    MetricNameError
        There is no such method.
    CertusError
        The level is not valid.

    Examples
    --------
    >>> print(unknown_positives(checked=500, hits=400))
    0.8000 [0.7625, 0.8336]  95% Blaker, 500 checked positives
    """
    checked = count(checked, "checked", "a sample of none says nothing", least=1)
    hits = count(hits, "hits", "the checked positives that are predicted")
    if hits > checked:
        raise DataError(
            f"{called('hits')} is {hits} but {called('checked')} is {checked}; hits are counted among the checked"
        )
    statistic = Proportion(hits, checked, unit="checked positive")
    name = FORMS[Proportion].method(method)
    return Estimate(statistic, "Recall", (0.0, 1.0), level=checked_level(level), method=name)
