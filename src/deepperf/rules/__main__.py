"""Write the index of the rules anew: `python -m deepperf.rules`."""

from deepperf.rules.registry import write_index

write_index()
