"""Exact constructions for samples drawn without replacement from a finite population."""
