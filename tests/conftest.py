"""What holds for all tests."""

from hypothesis import settings

# How long an example takes depends on what else the machine does, and on what is imported by the first one.
settings.register_profile("certus", deadline=None)
settings.load_profile("certus")
