"""What loads models, tokenizers and weights, and what the code around does with them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from deepperf.facts.project.hotness import Around
from deepperf.facts.scopes import CallSite, Function, Scope
from deepperf.facts.syntax import arguments_of
from deepperf.knowledge import makers
from deepperf.rules.api import Impact, Site
from deepperf.rules.keras import passes


class Loaded(NamedTuple):
    """What a call loads, in words, and how dear that is."""

    words: str
    impact: Impact


_MODEL = Loaded("model", Impact.HIGH)
_TOKENIZER = Loaded("tokenizer", Impact.MEDIUM)
_WEIGHTS = Loaded("file", Impact.HIGH)
_OBJECT = Loaded("file", Impact.MEDIUM)

_TORCHVISION = frozenset(name for name in makers("model", "torch") if name.startswith("torchvision."))
_MODELS = frozenset(
    "keras.models.load_model keras.saving.load_model tensorflow.saved_model.load tensorflow_hub.load tensorflow_hub.Module "
    "tensorflow_hub.KerasLayer tensorflow.lite.Interpreter torch.jit.load torch.hub.load transformers.pipeline "
    "sentence_transformers.SentenceTransformer sentence_transformers.CrossEncoder whisper.load_model "
    "faster_whisper.WhisperModel onnxruntime.InferenceSession ultralytics.YOLO spacy.load clip.load easyocr.Reader "
    "flax.training.checkpoints.restore_checkpoint timm.create_model".split()
)
LOADERS = (*sorted(_MODELS | _TORCHVISION), "torch.load", "pickle.load", "joblib.load", "*.from_pretrained")
# Classes whose `from_pretrained` reads a small file only.
_SMALL = ("Config", "ImageProcessor", "FeatureExtractor", "Scheduler", "VideoProcessor")
_FAMILIES = frozenset("transformers diffusers sentence_transformers peft optimum adapters".split())

# Methods and functions that make another object of what was loaded, or write what is read.
_CHANGING = frozenset(
    "backward fit train train_on_batch apply_gradients minimize train_model resize_token_embeddings add_adapter load_adapter "
    "load_lora_weights fuse_lora merge_and_unload load_weights get_peft_model prune quantize quantize_dynamic prune_heads "
    "register_forward_hook set_weights add_tokens add_special_tokens".split()
)
_WRITING = frozenset("save save_pretrained save_model save_weights dump savez export convert".split())
_FREEING = frozenset({"empty_cache", "collect", "clear_session"})
_MOVING = frozenset("to eval cuda half float cpu bfloat16 requires_grad_".split())


def what(site: Site) -> Loaded | None:
    """Return what a call of a loader loads, None if it is nothing dear."""
    name = site.name or ""
    owner, _, last = name.rpartition(".")
    if last == "from_pretrained":
        return _pretrained(owner)
    if name == "timm.create_model":
        return _MODEL if _is_on(site, "pretrained") else None
    if name in _TORCHVISION:
        return _MODEL if _is_on(site, "pretrained") or _is_on(site, "weights") else None
    if name == "tensorflow.lite.Interpreter" and not site.node.args and not site.node.keywords:
        return None
    if name in ("torch.load", "pickle.load", "joblib.load"):
        return _WEIGHTS if name == "torch.load" else _OBJECT
    return _MODEL


def _pretrained(owner: str) -> Loaded | None:
    root, _, cls = owner.rpartition(".")
    if root.partition(".")[0] not in _FAMILIES or cls.endswith(_SMALL) or cls == "GenerationConfig":
        return None
    return _TOKENIZER if "Tokenizer" in cls or cls.endswith("Processor") else _MODEL


def _is_on(site: Site, name: str) -> bool:
    given = next((keyword.value for keyword in site.node.keywords if keyword.arg == name), None)
    return given is not None and not (isinstance(given, ast.Constant) and not given.value)


def sources(site: Site) -> list[ast.expr]:
    """Return the expressions that say what is loaded: for an open file, those that say which one."""
    found: list[ast.expr] = []
    for given in arguments_of(site.node):
        opened = _opened(given, site) if site.name in ("pickle.load", "torch.load") else None
        found += [given] if opened is None else arguments_of(opened)
    return found


def _opened(node: ast.expr, site: Site) -> ast.Call | None:
    made = [found.value for found in site.module.definitions(node, site.scope)] or [node]
    value = made[0] if len(made) == 1 else None
    is_call = isinstance(value, ast.Call) and value.args
    return value if isinstance(value, ast.Call) and is_call and _is_open(value, site) else None


def _is_open(node: ast.Call, site: Site) -> bool:
    return site.project.inference.api(node.func, site.scope) == "builtins.open"


def is_own_each_time(site: Site, calls: Iterable[CallSite]) -> bool:
    """Tell whether each time needs a fresh object: it is trained or changed, or the file is written anew."""
    return any(_changes(call, site) for call in calls)


def _changes(call: CallSite, site: Site) -> bool:
    last = call.method_name or getattr(call.node.func, "id", "")
    if last == "train" and any(isinstance(value, ast.Constant) for value in call.node.args):
        return False
    if last == "load_state_dict":
        return site.name != "torch.load"
    if last in _CHANGING or last in _WRITING or last in ("sleep", "wait"):
        return True
    name = site.project.inference.api(call.node.func, call.scope) or ""
    return name.startswith(("torch.optim.", "peft.", "transformers.Trainer", "torch.nn.utils.prune"))


def frees(calls: Iterable[CallSite]) -> bool:
    """Tell whether memory is given back each time: there may be room for one model at a time only."""
    return any(call.method_name in _FREEING for call in calls)


def is_put_away(site: Site) -> bool:
    """Tell whether what is loaded goes into a list or a dict right where it is loaded."""
    return passes.is_kept(_whole(site.node, site.call), site.scope, site.located.statement)


def is_collected(site: Site, around: Around) -> bool:
    """Tell whether what is loaded outlives the pass: it is put into a list, or an object that holds it is."""
    node, place = _whole(site.node, site.call), site.call
    for entry in reversed(around.chain):
        if passes.is_kept(node, place.scope, place.statement):
            return True
        if not _gives(entry.function, node):
            return False
        node, place = _whole(entry.call.node, entry.call), entry.call
    return passes.is_kept(node, place.scope, place.statement)


def _whole(node: ast.expr, place: CallSite) -> ast.expr:
    """Return an expression with the calls that only move the model: `load().to(device).eval()`."""
    parents = place.module.parents(place.statement)
    member = parents.get(node)
    outer = parents.get(member) if isinstance(member, ast.Attribute) and member.attr in _MOVING else None
    return _whole(outer, place) if isinstance(outer, ast.Call) else node


def _gives(function: Function, node: ast.expr) -> bool:
    """Tell whether a function returns what an expression in it made, or keeps it in the object that it sets up."""
    if function.name == "__init__":
        return True
    names = _names(node, function.scope)
    flow = function.module.flow(function.scope)
    parts = [
        part for given in flow.returns for part in (given.elts if isinstance(given, ast.Tuple) else [given])
    ]
    return any(part is node or (isinstance(part, ast.Name) and part.id in names) for part in parts)


def _names(node: ast.expr, scope: Scope) -> set[str]:
    return {
        definition.name
        for definitions in scope.module.flow(scope).definitions.values()
        for definition in definitions
        if definition.value is node
    }
