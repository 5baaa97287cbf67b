"""KR107: an argument keeps an LSTM or GRU from using the fused kernel of a GPU."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from deepperf.facts.project.regions import Mode
from deepperf.facts.values import Api, Const, Made, Value
from deepperf.rules.api import Bad, Confidence, Cost, Effort, Finding, Good, Impact, Rule, Site, call

# What each argument must be for the fused kernel.
_NEEDED: dict[str, object] = {
    "activation": "tanh",
    "recurrent_activation": "sigmoid",
    "recurrent_dropout": 0,
    "unroll": False,
    "use_bias": True,
    "reset_after": True,
}
_CELLS = {"keras.layers.LSTMCell": "LSTM", "keras.layers.GRUCell": "GRU"}
# Signs that the code is not for a GPU, or that another backend with kernels of its own runs it.
_ELSEWHERE = re.compile(
    r"TFLiteConverter|tensorflowjs|TPUStrategy|TPUClusterResolver|set_visible_devices\(\s*\[\]|"
    r"CUDA_VISIBLE_DEVICES[\"']\s*\]?\s*[=,]\s*[\"'](-1)?[\"']|KERAS_BACKEND[\"']\s*\]?\s*[=,]\s*[\"'](jax|torch|theano)"
)


class RnnWithoutCudnn(Rule):
    """An argument keeps an LSTM or GRU from using the fused cuDNN kernel of a GPU.

    ## Why it is slow
    On a GPU Keras runs an LSTM or GRU as one fused kernel, but only with the default activations, and without recurrent
    dropout, unrolling or a missing bias. With any other setting it runs a loop over the time steps, with many small kernels
    in each.

    ## What to do
    Keep `activation="tanh"`, `recurrent_activation="sigmoid"` and `recurrent_dropout=0`. Put dropout between the layers
    instead: `dropout=` is allowed. Use the layers `LSTM` and `GRU` in place of `RNN(LSTMCell(…))`. This changes the model: it
    must be trained again.

    ## When it is fine
    The model runs on a CPU, on a phone or on a TPU. The setting matters more than the speed.
    """

    code, slug = "KR107", "rnn-without-cudnn"
    impact = Impact.MEDIUM
    root_cause = "hardware-and-code-mismatch"
    symptoms = ("slow-execution-time", "abnormal-gpu-utilization")
    stages = ("model-building",)
    frameworks = {"keras": ">=2.4", "tensorflow": ">=2.0"}
    evidence = (
        "https://keras.io/api/layers/recurrent_layers/lstm/",
        "https://github.com/tensorflow/tensorflow/issues/38236",
        "https://github.com/tensorflow/tensorflow/issues/40944",
        "https://github.com/keras-team/keras/issues/8135",
        "https://stackoverflow.com/questions/57328548",
    )
    since = "0.1"
    effort = Effort.MEDIUM
    cost = Cost(
        "On a GPU each time step starts many small kernels, one after the other.",
        None,
        "https://github.com/tensorflow/tensorflow/issues/38236",
    )

    examples = (
        Bad(
            """
            import tensorflow as tf

            def network(units):
                return tf.keras.Sequential([
                    tf.keras.layers.LSTM(units, activation="relu"),  # <- KR107
                    tf.keras.layers.Dense(1),
                ])
            """
        ),
        Bad(
            """
            import tensorflow as tf

            def encode(x):
                return tf.keras.layers.RNN(tf.keras.layers.GRUCell(64))(x)  # <- KR107
            """
        ),
        Good(
            """
            import tensorflow as tf

            def network(units):
                return tf.keras.Sequential([
                    tf.keras.layers.LSTM(units, dropout=0.2),
                    tf.keras.layers.Dense(1),
                ])
            """,
            why="the defaults use the fused kernel, also with dropout of the inputs",
        ),
        Good(
            """
            import tensorflow as tf

            def network(x, cell):
                return tf.keras.layers.RNN(cell)(x)
            """,
            why="a cell of one's own has no fused kernel",
        ),
    )

    @call("keras.layers.LSTM", "keras.layers.GRU")
    def layer(self, site: Site) -> Iterator[Finding]:
        """Report a layer with an argument that the fused kernel does not know."""
        if not _may_use_cudnn(site):
            return
        wrong = next((found for name in _NEEDED if (found := self._wrong(site, name)) is not None), None)
        if wrong is None:
            return
        name, value = wrong
        yield self.found(
            site,
            f"`{site.spelled}` cannot use the fused cuDNN kernel on a GPU because of `{name}={ast.unparse(value)}`",
            advice=self._advice(name),
            because=(site.source.place(value, f"the fused kernel needs {name}={_NEEDED[name]!r}"),),
            confidence=Confidence.MEDIUM,
        )

    @call("keras.layers.RNN")
    def cells(self, site: Site) -> Iterator[Finding]:
        """Report a cell in a loop over time steps that has a layer with a fused kernel."""
        cell = site.argument("cell")
        value = site.project.inference.one(cell, site.scope) if cell is not None else None
        layer = _CELLS.get(value.api) if isinstance(value, Made) else None
        if cell is None or layer is None or not _may_use_cudnn(site):
            return
        yield self.found(
            site,
            f"`{site.spelled}` runs {ast.unparse(cell.func) if isinstance(cell, ast.Call) else ast.unparse(cell)} step by step: "
            "it cannot use the fused cuDNN kernel on a GPU",
            advice=f"Use the layer {layer}, which computes the same.",
            because=(site.source.place(cell, "the cell"),),
            confidence=Confidence.MEDIUM,
        )

    @staticmethod
    def _wrong(site: Site, name: str) -> tuple[str, ast.expr] | None:
        given = site.argument(name)
        if given is None:
            return None
        values = site.project.inference.values(given, site.scope)
        is_wrong = bool(values) and all(_differs(value, _NEEDED[name]) for value in values)
        return (name, given) if is_wrong else None

    @staticmethod
    def _advice(name: str) -> str:
        if name == "recurrent_dropout":
            return "Leave it out, and put dropout between the layers instead: dropout=… is allowed. Train the model again."
        return f"Leave {name} at {_NEEDED[name]!r}, and train the model again. This only matters on a GPU."


def _differs(value: Value, needed: object) -> bool:
    """Tell whether a value surely is another one than the kernel needs."""
    if isinstance(value, Const):
        given = value.value
        return given.lower() != needed if isinstance(given, str) else given != needed
    return isinstance(needed, str) and isinstance(value, Api) and value.name.rpartition(".")[2] != needed


def _may_use_cudnn(site: Site) -> bool:
    """Tell whether the code is for releases with the fused kernel, and nothing shows that it runs somewhere else."""
    if not site.range("tensorflow").holds(">=2.0") or not site.range("keras").holds(">=2.4"):
        return False
    region = site.region
    if region is not None and region.mode is Mode.GRAPH:
        return False
    return _ELSEWHERE.search(site.source.text) is None
