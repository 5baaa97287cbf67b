"""How right deepperf is on real code. The code itself is not here: `DEEPPERF_CORPUS` says where it lies."""
