"""TF130: TensorFlow Probability samples in eager code, one small operation at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.project.regions import Mode
from deepperf.facts.values import Const
from deepperf.rules.api import Bad, Confidence, Cost, Finding, Good, Hot, Impact, Rule, Site, call

_FEW = 100
_SAMPLERS = (
    "tensorflow_probability.mcmc.sample_chain",
    "tensorflow_probability.mcmc.sample_annealed_importance_chain",
    "tensorflow_probability.mcmc.sample_halton_sequence",
    "tensorflow_probability.experimental.mcmc.windowed_adaptive_nuts",
    "tensorflow_probability.experimental.mcmc.windowed_adaptive_hmc",
    "tensorflow_probability.experimental.mcmc.sample_sequential_monte_carlo",
    "tensorflow_probability.sts.fit_with_hmc",
    "tensorflow_probability.vi.fit_surrogate_posterior",
)


class SamplingOutsideTfFunction(Rule):
    """A sampler or fit of TensorFlow Probability runs in eager code.

    ## Why it is slow
    Each step of a chain is made of dozens of small operations. In eager code Python starts each of them, thousands of times over.
    Inside a `tf.function` the whole chain is one graph.

    ## What to do
    Put the call into a function with `@tf.function(autograph=False)`, and give it tensors. For long chains add
    `jit_compile=True`. Several chains run best as one batch.

    ## When it is fine
    There are only a few steps. The code runs in a `tf.function` or in a TensorFlow 1 graph already.
    """

    code, slug = "TF130", "sampling-outside-tf-function"
    impact = Impact.HIGH
    root_cause = "confusion-with-computation-graph"
    symptoms = ("slow-execution-time",)
    stages = ("training", "prediction")
    frameworks = {"tensorflow": ">=2.0"}
    evidence = ("63875039", "https://www.tensorflow.org/probability/api_docs/python/tfp/mcmc/sample_chain")
    since = "0.1"
    cost = Cost(
        "Python starts each small operation of each step.",
        None,
        "https://www.tensorflow.org/guide/function",
    )

    examples = (
        Bad(
            """
            import tensorflow as tf
            import tensorflow_probability as tfp

            def posterior(kernel, start):
                return tfp.mcmc.sample_chain(10_000, start, kernel=kernel)  # <- TF130
            """
        ),
        Good(
            """
            import tensorflow as tf
            import tensorflow_probability as tfp

            @tf.function(autograph=False)
            def posterior(kernel, start):
                return tfp.mcmc.sample_chain(10_000, start, kernel=kernel)
            """,
            why="the whole chain is one graph",
        ),
        Good(
            """
            import tensorflow as tf
            import tensorflow_probability as tfp

            def posterior(kernel, start):
                return tfp.mcmc.sample_chain(20, start, kernel=kernel)
            """,
            why="a few steps only",
        ),
    )

    @call(*_SAMPLERS)
    def sampled(self, site: Site) -> Iterator[Finding]:
        """Report a sampler that no graph is built around."""
        region = site.region
        if region is not None and region.mode is not Mode.EAGER:
            return
        if site.project.regions.may_build_graphs(site.module) or self._is_handed_on(site):
            return
        yield self.found(
            site,
            f"`{site.spelled}` runs its steps in eager code: Python starts each operation of each step",
            advice="Put the call into a function with @tf.function(autograph=False), and pass tensors to it.",
            because=(site.place("no tf.function around it"),),
            confidence=Confidence.HIGH if region is not None else Confidence.MEDIUM,
            impact=Impact.LOW if _is_short(site) else None,
            hot=Hot.ONCE,
        )

    @staticmethod
    def _is_handed_on(site: Site) -> bool:
        """Tell whether the function around the call is given to something that may compile it, or comes from a decorator."""
        function = site.function
        if any(step.kind == "lambda" for step in site.located.context):
            return True
        if function is None:
            return False
        return bool(function.node.decorator_list or site.project.calls.callers(function).handed_on)


def _is_short(site: Site) -> bool:
    """Tell whether the chain surely has a few steps only."""
    given = site.node.args[0] if site.node.args else _keyword(site.node, "num_results", "num_steps")
    value = site.project.inference.one(given, site.scope) if given is not None else None
    return isinstance(value, Const) and isinstance(value.value, int) and value.value < _FEW


def _keyword(node: ast.Call, *names: str) -> ast.expr | None:
    return next((keyword.value for keyword in node.keywords if keyword.arg in names), None)
