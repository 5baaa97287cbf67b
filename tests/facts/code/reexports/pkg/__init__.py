import tensorflow as tf

from . import ops
from .ops import relu

NAMES = ["a", "b"]
