"""Errors in Zhang & Su (2012), point by point, with the figures computed: part of tools/make_zhang_su.py."""

import math
import re
from fractions import Fraction
from textwrap import fill

import numpy as np
from zhang_su_formulas import Delta, joint_sum, mean_of_rank, paper_covariance, rank_covariance, single_sum

from certus.chance import Distribution, average_precision

__all__ = ["DRAWS", "SETTINGS", "corrections", "laws"]

SETTINGS = {"first": (1000, 100), "second": (2000, 500)}
"""Items and relevant items of the paper's two settings."""
DRAWS = 10_000
"""Random rankings of a simulation."""


def laws(name: str) -> dict[str, Distribution]:
    """The exact law and the paper's two, of one setting."""
    n, m = SETTINGS[name]
    return {
        "exact": average_precision(n, m),
        "as tabled": average_precision(n, m, engine="zhang-su"),
        "as printed": average_precision(n, m, engine="zhang-su-printed"),
    }


def corrections() -> str:
    """The errors, with the figures of each point computed here."""
    exact = {name: average_precision(*SETTINGS[name]) for name in SETTINGS}
    first, second = exact["first"], exact["second"]
    means = math.sqrt(first.var() / DRAWS)
    spread = second.var() * math.sqrt((second.kurtosis() + 2) / DRAWS)
    n, m = SETTINGS["first"]
    right = {name: Delta(*SETTINGS[name]) for name in SETTINGS}
    rare = Delta(1000, 10)
    law = average_precision(1000, 10)
    paper = {name: laws(name) for name in SETTINGS}
    printed, tabled = ([paper[name][row].var() for name in SETTINGS] for row in ("as printed", "as tabled"))
    text = f"""\
- **(6) and (7) are not probabilities.** Their denominators C(n-1, m-1) and C(n-2, m-2) should both be C(n, m): over all
  places (6) adds up to n/m and (7) to n(n-1)/(m(m-1)), with 8 items and 3 hits {single_sum(8, 3)} and
  {joint_sum(8, 3)} instead of 1. The reason given for (6), "the remaining j-1 hits appearing in the rest k-1
  positions", is the first half twice; the other m-j hits lie in the last n-k.
- **The moments of the ranks of the hits are wrong.** The appendix adds up hypergeometric probabilities over the wrong
  variable. Right are E L_i = i (n+1)/(m+1) and Cov(L_i, L_j) = i (m+1-j)(n+1)(n-m)/((m+1)^2 (m+2)) for i <= j. With 3
  hits among 8 the mean rank of the last is {mean_of_rank(8, 3, 3)}, not {Fraction(3 * 8, 3)}. The paper's covariance,
  i (n-m)(mn + jn - m)/(m^2 (m-1)), *grows* with j: at n = {n}, m = {m} and i = 10 it is
  {float(paper_covariance(n, m, 10, 20)):.1f} for j = 20 and {float(paper_covariance(n, m, 10, 90)):.1f} for
  j = 90; the truth is {float(rank_covariance(n, m, 10, 20)):.1f} and {float(rank_covariance(n, m, 10, 90)):.1f}.
- **Table III is not what (13) gives.** As printed, (13) is {printed[0]:.4g} and {printed[1]:.4g}:
  {printed[0] / first.var():.2f} and {printed[1] / second.var():.2f} times the true variance. The published .0001392
  and .000142 come out ({tabled[0]:.6g}, {tabled[1]:.6g}) if the factor 2 before the covariances is left out and i = j
  is among them: two slips that partly cancel the error of the covariances.
- **The expansion itself is too short.** With the right moments of the ranks, (12) and (13) give the mean
  {right["first"].mean:.6f} instead of {first.mean():.6f} and {right["first"].var / first.var():.3f} of the variance
  in the first setting, {right["second"].mean:.6f} instead of {second.mean():.6f} and
  {right["second"].var / second.var():.3f} in the second, {rare.mean:.6f} instead of {law.mean():.6f} and
  {rare.var / law.var():.3f} with 10 relevant items among 1000.
- **One published simulated mean is a misprint.** .1037 repeats the theoretical mean. The true mean is
  {first.mean():.5f}; the mean of 10,000 rankings has a standard error of {means:.5f}, so .1037 would be
  {(first.mean() - 0.1037) / means:.0f} of them away, and it lies below the published median .1044 of a law with a long
  upper tail. Of the others the worst is the variance .000096,
  {(second.var() - 0.000096) / spread:.1f} standard errors below the exact one.
- **The law is not normal at these sizes.** Skewness {first.skewness():.3f}, excess kurtosis {first.kurtosis():.3f} in
  the first setting, {second.skewness():.3f} and {second.kurtosis():.3f} in the second. Figure 1, announced as showing
  "clearly that the result is satisfactory", shows the second; the peak of its normal
  density is {1 / math.sqrt(2 * math.pi * paper["second"]["as tabled"].var()):.1f}, the law's {peak(second):.1f}.
- **The summary of Goutte and Gaussier is crossed.** TP given TP + FP, the number *retrieved*, is binomial with the
  precision; TP given TP + FN, the number of *class 1*, with the recall. The words for the two are exchanged.
- **The conclusion does not follow.** That a ranking beats chance, or not, says nothing about whether it beats another
  ranking. For two rankings compare them query by query; certus does."""
    points = (fill(" ".join(point.split()), 120, subsequent_indent="  ") for point in re.split(r"\n(?=- )", text))
    return "\n".join(points)


def peak(law: Distribution) -> float:
    """The greatest density, over a twentieth of a standard deviation, near the median."""
    step = law.std() / 20
    edges = law.ppf(0.5) + step * np.arange(-16, 5)
    return float(np.diff(law.cdf(edges)).max() / step)
