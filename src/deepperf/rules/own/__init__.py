"""Rules about the use of deepperf itself. They look at comments, so the engine asks them, not the facts."""
