"""The prose of docs/audit-methods.md, between its tables."""

__all__ = ["COMPARED", "END", "INTRODUCTION", "PROGRAM", "READING", "SMALL_DESIGNS"]

INTRODUCTION = """# Recall and precision from a checked sample: the methods compared

Made, with its pictures, by `python bench/coverage/audit.py`. Nothing here is simulated: every sample that can be drawn
is counted with its probability.

**The question.** A model predicts M items of a population in which there are N positives. How many there are is known,
but not which. A random sample of n positives was found and checked by hand: k of them are predicted. How large are
recall, precision and F1 of the model, and how sure is that?

All three follow from one unknown whole number, the hits X among all positives: recall is X / N, precision X / M and
F1 2 X / (N + M). So there is one interval to be made, for X.

```pycon
>>> from certus.audit import coverage, recall_precision
>>> audit = recall_precision(positives=1000, checked=500, hits=400, predicted=10000)
>>> print(audit)
Recall     0.8000 [0.7740, 0.8240]  95% Blaker, 500 checked positives
Precision  0.0800 [0.0774, 0.0824]  95% Blaker, 500 checked positives
F1         0.1455 [0.1407, 0.1498]  95% Blaker, 500 checked positives
Hits       800 [774, 824]  95% Blaker, 500 checked positives
>>> print(audit.hits.interval(level=0.9, method="posterior"))
[778, 820]
>>> float(coverage("blaker", N=1000, n=500).min().round(4)), float(coverage("wilson-fpc", N=1000, n=500).min().round(4))
(0.95, 0.8758)

```

The estimate of X is `N k / n`, which is unbiased; it need not be a whole number. Where it is impossible (more hits than
predicted items, or so few that the missed positives do not fit outside of them) it is moved to the nearest possible
count.

**The methods.** Given X, k is hypergeometric: `P(k | X) = C(X, k) C(N - X, n - k) / C(N, n)`.

| method | limits | covers at least its level |
|---|---|---|
| `blaker` | counts that Blaker's exact test does not refute, and those between | yes |
| `amo` | exact, least average size (Bartroff, Lorden & Wang); N to 200,000 | yes |
| `wang` | exact, none can be drawn in (after Wang); N to 200,000 | yes |
| `hypergeometric` | counts that neither of two one-sided exact tests refutes | yes |
| `hypergeometric-lower`, `-upper` | one such test, with all of the error | yes |
| `clopper-pearson` | the exact interval for an endless population, times N | yes |
| `mid-p` | as `hypergeometric`, the outcome itself counting half | no |
| `posterior` | equal tails of the beta-binomial posterior, of any beta prior | on average over the prior |
| `hpd` | the likeliest counts of that posterior | on average over the prior |
| `wilson-fpc` | Wilson's, with the finite-population correction | no |
| `wilson` | Wilson's for an endless population (the note's normal approximation) | no |
| `beta` | the note's: quantiles of Beta(k + 1, n - k + 1) | no |

A note on this problem has [a page of its own](checked-sample.md), and its program is at the end of this one. If N is
not known, take `unknown_positives(checked=, hits=)`: Blaker's binomial interval for the recall, which covers at least
its level for every N. Clopper and Pearson's below shows how much more than its level such an interval covers."""

READING = """
## What this says for the choice of a method

- **Blaker**, the default, is exact and in most designs within 0.3% of the least average size. Where just half of the
  positives are checked that can be 2 to 4% less. It needs one k only, and milliseconds for a billion positives.
- **AMO** and **Wang** have the least average size (Wang's within 0.1% of it), but make all n + 1 intervals together.
- **Equal-tailed inversion** is longer by 1 to 8%; take it when each limit must hold with half of the error.
- **The posterior** with a uniform prior is right on average over all counts, by construction, and is the note's own.
  For a given true count it may be far below. When fewer than 2.5% of the positives are checked, the interval for no
  hits among them does not hold 0, so a recall of exactly 0 is never covered (the line that leaves the picture below).
- **Wilson with the correction** is right on average and the shortest to compute, but goes down to 0.80 near 0 and N.
- **Wilson** and **Clopper-Pearson** do not know that the positives come to an end. They are 8 to 14% too wide when a
  fifth is checked, 30 to 40% when half is.
- **Beta** never covers a recall of 0 or of 1 before all positives are checked.

![Coverage against the true count, 100 of 500 checked](images/audit-coverage.png)

*Coverage against the true number of hits, 100 of 500 positives checked. Blue: never below 0.95.*

![Least coverage and mean size against the number checked](images/audit-size.png)

*Left: the least coverage over all true counts; right: the mean number of counts in the interval over that of AMO. Both
against the number checked of 500 positives.*"""

COMPARED = """
## Tables

Nominal level {level}. Headings: checked of positives. Least coverage is rounded down, and bold where it is not below
the level. Sizes are means over k = 0 to n, each as often as the others, as they are if every X is equally likely."""

SMALL_DESIGNS = """
### Every design with at most {size} positives

All n from 1 to N for each N; coverage counted in whole numbers of samples, so that no rounding decides.
"""

PROGRAM = """
## The note's program

The note has a uniform prior's posterior, `C(x, k) C(N - x, n - k) / C(N + 1, n + 1)`. That is right: the hits among
the unchecked are beta-binomial, `hits_posterior(N, n, k)`. Its interval should leave 2.5% on either side. The program
printed with it (marked there as to be corrected) returns other numbers, for these reasons:

- It sums outwards from `Round(N k / n)`, on each side until half of what the level leaves beside that count is reached.
  So it gives each side of the estimate 47.5%, instead of cutting 2.5% from each tail. That is the same for a symmetric
  law only.
- It tests the sum before it adds the count it stands at. The count it returns is not in the sum yet, so each limit is
  one count too far out.
- Where one side holds less than its half the loop ends without a limit: `Null`, for {without} of the 501 possible k of
  N = 1,000, n = 500. The rule in its text, that the other side makes up for it, is not in the program. Quantiles do
  not need it.
- What it prints as the mean is the estimate N k / n, rounded. The mean is (N + 2)(k + 1)/(n + 2) - 1: here 799.40, with
  the standard deviation 12.65.
- More hits than predicted items are not excluded, nor fewer negatives than none.

In the example the left limit comes out one too high and the right one four too high. With 100 of 1,000 checked, and a
missing limit taken for the last possible count, the program's intervals cover {mean:.3f} on average and {least:.3f} at
least, with a mean of {size:.1f} counts: less often than the quantiles, and yet longer.
"""

END = """
The note's interval, from its own law:

```pycon
>>> from certus.audit import hits_posterior
>>> hits_posterior(N=1000, n=500, k=400).ppf([0.025, 0.975])
array([774., 823.])

```

![The posterior of the example, its interval shaded](images/audit-posterior.png)

*N = 1,000, n = 500, k = 400. Shaded: 2.5% cut from each side. Dashed: what the note's program returns.*

![Exact law and approximations](images/audit-approximations.png)

*The note's approximations of N = 500, n = 100, k = 80. Its normal and beta laws take the positives for endless and
are wider than the exact posterior by a tenth.*

![The posterior with impossible counts and without](images/audit-cut.png)

*The same with 405 predicted items: a third of the posterior lies on more hits than that. `recall_precision` cuts it off
and says so; the lower limit moves too, because what is left is made to sum to one.*
"""
