"""Exact constructions for samples drawn without replacement from a finite population.

Limits for the number of hits in one population are functions of its size N, the checked n, the hits k among them and
the level. Hits and misses are treated alike: the limits for n - k hits are N minus those for k. Where there are several
populations, called strata, limits are for a share of the relevant items in all of them.
"""
