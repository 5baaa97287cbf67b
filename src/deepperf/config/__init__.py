"""Settings: their names, their defaults, and where they come from."""

from deepperf.config.load import ConfigError, load_settings
from deepperf.config.schema import Settings

__all__ = ["ConfigError", "Settings", "load_settings"]
