"""deepperf finds performance problems in deep-learning code."""

__version__ = "0.1.0"
