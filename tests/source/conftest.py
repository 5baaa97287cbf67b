"""Generated examples may take as long as they need: machines differ."""

from hypothesis import settings

settings.register_profile("deepperf", deadline=None)
settings.load_profile("deepperf")
