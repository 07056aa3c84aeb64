"""Sums over hits that depend on how many came before: average precision, its kin, and means of them."""
