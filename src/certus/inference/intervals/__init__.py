"""Intervals by the form of a statistic: each form and its methods are declared in one module."""
