"""Whether code trains a model, and whether it counts on a GPU."""

from __future__ import annotations

import ast

from deepperf.facts.project.handing import imports
from deepperf.facts.scopes import CallSite
from deepperf.facts.syntax import arguments_of
from deepperf.rules.api import Spot

_TRAINING = frozenset("fit fit_generator train_on_batch backward apply_gradients minimize train".split())
_GPU_STORES = ("allow_growth", "per_process_gpu_memory_fraction")
_GPU_CALLS = ("torch.cuda.", "tensorflow.config.experimental.set_memory_growth", "tensorflow.GPUOptions")


def trains(site: Spot) -> bool:
    """Tell whether the file of a place, or what its function calls, trains a model."""
    called = site.project.models.calls_under(site.function) if site.function is not None else ()
    return any(_takes_step(call, site) for call in (*site.module.index.calls, *called))


def _takes_step(call: CallSite, site: Spot) -> bool:
    last = call.method_name
    if last == "train" and arguments_of(call.node) and isinstance(arguments_of(call.node)[0], ast.Constant):
        return False
    if last == "fit":
        return _is_deep(call, site)
    return last in _TRAINING


def _is_deep(call: CallSite, site: Spot) -> bool:
    """Tell whether a `fit` can be that of a network: beside other libraries that fit, it must be known to be one."""
    others = any(imports(call.module, name) for name in ("sklearn", "xgboost", "lightgbm"))
    return not others or bool(site.project.models.called(call))


def uses_gpu(site: Spot) -> bool:
    """Tell whether the file of a place does something that only makes sense with a GPU."""
    index = site.module.index
    return any(name in index.stores for name in _GPU_STORES) or any(
        _is_for_gpu(call, site) for call in index.calls
    )


def _is_for_gpu(call: CallSite, site: Spot) -> bool:
    if call.method_name == "cuda" and not call.node.args:
        return True
    if call.method_name in ("to", "device") and any(_names_gpu(value) for value in call.node.args):
        return True
    name = site.project.inference.api(call.node.func, call.scope) or ""
    return name.startswith(_GPU_CALLS)


def _names_gpu(node: ast.expr) -> bool:
    text = node.value if isinstance(node, ast.Constant) else None
    return isinstance(text, str) and any(word in text.lower() for word in ("cuda", "gpu"))
