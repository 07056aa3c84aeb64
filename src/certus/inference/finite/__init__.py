"""Limits for the number of hits in a finite population of which a sample was checked.

Every method is a function of the population N, the checked n, the hits k among them and the level. Hits and misses are
treated alike: the limits for n - k hits are N minus those for k.
"""
