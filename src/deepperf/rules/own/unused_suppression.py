"""DP101: a comment that silences nothing."""

from __future__ import annotations

from deepperf.model import Impact
from deepperf.rules.rule import Bad, Good, Rule


class UnusedSuppression(Rule):
    """A comment silences findings, and there are none.

    ## Why it is slow
    Nothing is slow. The comment is left over: the problem is mended, or the comment stands on another line than the finding. It
    would hide a new problem on its line.

    ## What to do
    Take the comment out.

    ## When it is fine
    The rule it names is not enabled in this run: then nothing is said.
    """

    code, slug = "DP101", "unused-suppression"
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

            size = 32  # deepperf: ignore[TF202]  # <- DP101
            """,
            fixed="""
            import tensorflow as tf

            size = 32  # <- DP101
            """,
        ),
        Good(
            """
            import tensorflow as tf

            size = 32  # no comment for deepperf
            """,
            why="nothing is silenced",
        ),
    )
