"""DP102: a comment that names no rule."""

from __future__ import annotations

from deepperf.model import Impact
from deepperf.rules.rule import Bad, Good, Rule


class UnknownSuppression(Rule):
    """A comment names a rule that there is none of.

    ## Why it is slow
    Nothing is slow, but the comment does not do what it says: it silences nothing.

    ## What to do
    Correct the name. `deepperf rules` lists those that there are.

    ## When it is fine
    Never: a code that was renamed still counts as known.
    """

    code, slug = "DP102", "unknown-suppression"
    impact = Impact.MEDIUM
    root_cause = "improper-configuration"
    symptoms = ("unknown",)
    stages = ("unknown",)
    frameworks = {}
    evidence = ()
    since = "0.1"

    examples = (
        Bad(
            """
            import tensorflow as tf

            size = 32  # deepperf: ignore[TF2020]  # <- DP102
            """
        ),
        Good(
            """
            import tensorflow as tf

            def data(files, parse):
                return tf.data.TFRecordDataset(files).map(parse)  # deepperf: ignore[serial-dataset-map] the order of logs
            """,
            why="it names a rule, and there is something to silence",
            options=("--target", "tensorflow=2.4"),
        ),
    )
