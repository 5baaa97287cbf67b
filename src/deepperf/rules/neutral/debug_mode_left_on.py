"""GN101: a mode for debugging is on in every run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from deepperf.facts.project.conditions import named_for
from deepperf.facts.values import Api
from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Finding,
    Good,
    Impact,
    Place,
    Rule,
    Site,
    Spot,
    StoreSpot,
    call,
    method,
    store,
)
from deepperf.rules.keras import passes
from deepperf.rules.neutral import debugging, switches


class _Mode(NamedTuple):
    """What a mode makes the program do, and how much that weighs."""

    words: str
    impact: Impact


_EAGER = _Mode("each `tf.function` runs op by op", Impact.HIGH)
_SLOW_STEPS = _Mode("each training step runs op by op in Python", Impact.HIGH)
_ANOMALY = _Mode("each backward pass keeps stack traces and looks for NaN", Impact.HIGH)
_NUMERICS = _Mode("the result of each op is searched for NaN and infinity", Impact.HIGH)
_SERIAL_DATA = _Mode("datasets run in Python, one element after the other", Impact.HIGH)
_PLACEMENT = _Mode("the device of each op is printed", Impact.MEDIUM)
_SERIAL_GPU = _Mode("the program waits for each GPU kernel", Impact.HIGH)
_NO_CUDNN = _Mode("convolutions and recurrent layers run without cuDNN", Impact.HIGH)
_NO_JIT = _Mode("nothing is compiled, each op runs on its own", Impact.HIGH)
_CHECKED = _Mode("the results of each compiled function are checked", Impact.HIGH)
_PROFILED = _Mode("each step is recorded by the profiler", Impact.MEDIUM)
_DETERMINISTIC = _Mode("slower kernels are chosen so that runs repeat exactly", Impact.LOW)

# With the argument that must be True, "" where calling it is enough.
_CALLS = {
    "tensorflow.config.run_functions_eagerly": ("run_eagerly", _EAGER),
    "tensorflow.config.experimental_run_functions_eagerly": ("run_eagerly", _EAGER),
    "tensorflow.data.experimental.enable_debug_mode": ("", _SERIAL_DATA),
    "tensorflow.debugging.enable_check_numerics": ("", _NUMERICS),
    "tensorflow.debugging.set_log_device_placement": ("enabled", _PLACEMENT),
    "tensorflow.config.experimental.enable_op_determinism": ("", _DETERMINISTIC),
    "torch.autograd.set_detect_anomaly": ("mode", _ANOMALY),
    "torch.autograd.detect_anomaly": ("", _ANOMALY),
    "torch.use_deterministic_algorithms": ("mode", _DETERMINISTIC),
    "jax.disable_jit": ("", _NO_JIT),
    "jax.debug_nans": ("new_val", _CHECKED),
    "jax.checking_leaks": ("", _CHECKED),
}
_OPTIONS = {
    "jax_disable_jit": _NO_JIT,
    **dict.fromkeys(("jax_debug_nans", "jax_debug_infs", "jax_enable_checks"), _CHECKED),
    "jax_check_tracer_leaks": _CHECKED,
}
_VARIABLES = {"CUDA_LAUNCH_BLOCKING": _SERIAL_GPU, **{name.upper(): mode for name, mode in _OPTIONS.items()}}
_TRAINER = {"detect_anomaly": _ANOMALY, "profiler": _PROFILED, "deterministic": _DETERMINISTIC}
_PROFILERS = (
    "torch.profiler.profile",
    "torch.autograd.profiler.profile",
    "torch.autograd.profiler.emit_nvtx",
)
_SWITCH_WORDS = ("debug", "determin", "seed", "reproduc", "profil", "eager", "anomal", "benchmark")


class DebugModeLeftOn(Rule):
    """A mode made for debugging is on in every run of the program.

    ## Why it is slow
    These modes trade speed for information. Functions run op by op in place of a compiled graph, each result is searched for NaN,
    each backward pass keeps stack traces, or the program waits for each GPU kernel.

    ## What to do
    Remove the switch, or set it only behind a flag for debugging.

    ## When it is fine
    A flag turns it on. It is turned off again before training. It stands in a test. The model calls NumPy in its layers and
    needs eager mode.
    """

    code, slug = "GN101", "debug-mode-left-on"
    impact = Impact.HIGH
    root_cause = "inefficient-api-usage"
    symptoms = ("slow-execution-time", "abnormal-gpu-utilization")
    stages = ("initialization", "training")
    frameworks = {
        "tensorflow": ">=2.0",
        "keras": ">=2.3",
        "torch": ">=0.4",
        "lightning": ">=1.0",
        "jax": ">=0.2",
    }
    evidence = (
        "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
        "https://www.tensorflow.org/guide/function#debugging",
        "https://docs.pytorch.org/docs/stable/notes/cuda.html#asynchronous-execution",
        "https://docs.jax.dev/en/latest/debugging/flags.html",
    )
    since = "0.1"
    cost = Cost(
        "Every step pays for the checks, or runs without compilation.", None, "benches/rules/gn101.py"
    )

    examples = (
        Bad(
            """
            import tensorflow as tf

            tf.config.run_functions_eagerly(True)  # <- GN101

            def train(model, data):
                model.fit(data, epochs=10)
            """
        ),
        Bad(
            """
            import torch

            def train(model, loader, loss, optimizer):
                torch.autograd.set_detect_anomaly(True)  # <- GN101
                for x, y in loader:
                    optimizer.zero_grad()
                    loss(model(x), y).backward()
                    optimizer.step()
            """
        ),
        Bad(
            """
            import os

            os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # <- GN101

            import torch
            """
        ),
        Good(
            """
            import tensorflow as tf

            def main(flags, model, data):
                if flags.debug:
                    tf.config.run_functions_eagerly(True)
                model.fit(data, epochs=10)
            """,
            why="a flag turns it on",
        ),
        Good(
            """
            import torch

            def train(model, loader, loss, optimizer, debug=False):
                torch.autograd.set_detect_anomaly(debug)
                for x, y in loader:
                    optimizer.zero_grad()
                    loss(model(x), y).backward()
                    optimizer.step()
            """,
            why="it depends on a flag",
        ),
    )

    @call(*_CALLS)
    def switched(self, site: Site) -> Iterator[Finding]:
        """Report a call that turns a mode on."""
        name, mode = _CALLS[site.name or ""]
        is_on = switches.is_true(site.argument(name)) if name else not _is_off(site)
        if is_on and not site.project.conditions.undone(site.call):
            yield from self._finding(site, f"`{site.spelled}`", mode)

    @call("jax.config.update")
    def option(self, site: Site) -> Iterator[Finding]:
        """Report an option of JAX for debugging."""
        mode = _OPTIONS.get(str(switches.constant(site.argument("name"), site)))
        if mode and switches.is_true(site.argument("val")) and not site.project.conditions.undone(site.call):
            yield from self._finding(site, f"`{ast.unparse(site.node)}`", mode)

    @method("compile", on="keras-model")
    def compiled(self, site: Site) -> Iterator[Finding]:
        """Report a Keras model whose steps are not compiled."""
        if switches.is_true(passes.given(site.node, "run_eagerly")):
            yield from self._eager_model(site, "`run_eagerly=True`")

    @store("run_eagerly")
    def made_eager(self, site: StoreSpot) -> Iterator[Finding]:
        """Report `model.run_eagerly = True`."""
        models = site.project.inference.values(site.target.value, site.scope)
        if switches.is_true(site.value) and any(site.project.models.is_model(model) for model in models):
            yield from self._eager_model(site, f"`{site.spelled} = True`")

    @store("environ")
    def variable(self, site: StoreSpot) -> Iterator[Finding]:
        """Report an environment variable that turns a mode on."""
        yield from self._variable(site, switches.variable_set(site))

    @call("os.putenv", "os.environ.setdefault")
    def default(self, site: Site) -> Iterator[Finding]:
        """Report the same by a call."""
        yield from self._variable(site, switches.variable_default(site))

    @store("enabled", "deterministic")
    def cudnn(self, site: StoreSpot) -> Iterator[Finding]:
        """Report cuDNN turned off, or held to the kernels that repeat exactly."""
        owner = site.project.inference.values(site.target.value, site.scope)
        if owner != (Api("torch.backends.cudnn"),) or not isinstance(site.target, ast.Attribute):
            return
        is_on = switches.is_true(site.value)
        if site.target.attr == "enabled" and isinstance(site.value, ast.Constant) and not is_on:
            yield from self._finding(site, f"`{site.spelled} = False`", _NO_CUDNN)
        elif site.target.attr == "deterministic" and is_on and debugging.is_off_beside(site, "benchmark"):
            yield from self._finding(site, f"`{site.spelled} = True`", _DETERMINISTIC)

    @call(*_PROFILERS)
    def profiled(self, site: Site) -> Iterator[Finding]:
        """Report a profiler around all steps of a training."""
        has_schedule = site.argument("schedule") is not None or _is_off(site)
        loop = None if has_schedule else debugging.recorded_loop(site)
        if loop is not None:
            yield from self._finding(site, f"`{site.spelled}`", _PROFILED, debugging.loop_place(loop))

    @call("torch.autograd.gradcheck", "torch.autograd.gradgradcheck")
    def checked(self, site: Site) -> Iterator[Finding]:
        """Report numerical gradients computed in the steps of a training."""
        loop = debugging.step_loop(site)
        if loop is not None:
            mode = _Mode("gradients are computed numerically in each step", Impact.HIGH)
            yield from self._finding(site, f"`{site.spelled}`", mode, debugging.loop_place(loop))

    @call("lightning.Trainer")
    def trainer(self, site: Site) -> Iterator[Finding]:
        """Report options of Lightning's trainer."""
        for option, mode in _TRAINER.items():
            value = site.argument(option)
            names = ("advanced", "pytorch") if option == "profiler" else (True,)
            if isinstance(value, ast.Constant) and value.value in names:
                yield from self._finding(site, f"`{option}={value.value!r}`", mode)

    def _eager_model(self, site: Spot, what: str) -> Iterator[Finding]:
        doubt = debugging.needs_python(site)
        yield from self._finding(
            site, what, _SLOW_STEPS, confidence=Confidence.LOW if doubt else Confidence.HIGH
        )

    def _variable(self, site: Spot, found: tuple[str, str] | None) -> Iterator[Finding]:
        mode = _VARIABLES.get(found[0]) if found is not None else None
        if found is not None and mode is not None and found[1].lower() in ("1", "true"):
            yield from self._finding(site, f"`{found[0]}={found[1]}`", mode)

    def _finding(
        self,
        site: Spot,
        what: str,
        mode: _Mode,
        *places: Place,
        confidence: Confidence = Confidence.HIGH,
    ) -> Iterator[Finding]:
        because = switches.always_on(site)
        if not because or named_for(site.located, _SWITCH_WORDS):
            return
        if mode is _DETERMINISTIC and debugging.is_seeded(site):
            return
        yield self.found(
            site,
            f"{what} is on in every run: {mode.words}",
            advice="Remove it, or set it only behind a flag for debugging.",
            because=(*because, *places),
            confidence=confidence,
            impact=mode.impact,
            related=places,
        )


def _is_off(site: Site) -> bool:
    return any(isinstance(value, ast.Constant) and value.value is False for value in _values(site.node))


def _values(node: ast.Call) -> list[ast.expr]:
    return [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg != "check_nan")]
