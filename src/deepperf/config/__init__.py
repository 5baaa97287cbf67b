"""Settings: their names, their defaults, and where they come from."""

from deepperf.config.files import ConfigError
from deepperf.config.load import load_settings
from deepperf.config.schema import Settings

__all__ = ["ConfigError", "Settings", "load_settings"]
