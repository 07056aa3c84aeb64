"""Sums of a gain times a discount at each rank: DCG and nDCG with any grades."""
