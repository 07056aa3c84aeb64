"""Hypothesis without a time limit per example: the machine that runs the tests is shared."""

from hypothesis import settings

settings.register_profile("inference", deadline=None)
settings.load_profile("inference")
