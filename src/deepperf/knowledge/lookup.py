"""What a canonical name is known to give and to do."""

from __future__ import annotations

from functools import cache

from deepperf.knowledge._tables import DATASET_METHODS, METHODS, ROOTS
from deepperf.knowledge.api import Api, DatasetMethod
from deepperf.knowledge.tables import Judgement, Tables, tables


@cache
def lookup(name: str) -> Api:
    """Return what is known of a canonical name; an unknown one gives an `Api` with `known` False.

    A name below that of an API is a member of what the API gives: `tensorflow.Session.run` is the `run` of a
    session.
    """
    framework = ROOTS.get(name.partition(".")[0])
    if framework is None:
        return Api(name)
    known = tables(framework)
    entry = known.apis.get(name)
    if entry is not None:
        number, parameters = entry
        return _api(name, framework, known.judgements[number], parameters, known.twins.get(name, ""))
    owner, _, last = name.rpartition(".")
    if owner:
        kind = lookup(owner).returns
        if last in METHODS.get(kind, ()):
            return _member(kind, last, name, framework)
    return _by_default(name, framework, known)


def _by_default(name: str, framework: str, known: Tables) -> Api:
    for prefix, number in known.defaults.items():
        if name.startswith(prefix + "."):
            return _api(name, framework, known.judgements[number], "", "")
    return Api(name)


def _api(name: str, framework: str, judgement: Judgement, parameters: str, twin: str) -> Api:
    returns, effects, traits = judgement
    return Api(
        name, True, framework, returns, _words(effects), _words(traits), tuple(parameters.split()), twin
    )


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _member(kind: str, member: str, name: str, framework: str) -> Api:
    returns, effects, traits, parameters = METHODS[kind][member]
    return _api(name, framework, (returns, effects, traits), parameters, "")


@cache
def is_method_name(name: str) -> bool:
    """Tell whether values of some known kind have a method or attribute of this name."""
    return any(name in members for members in METHODS.values())


@cache
def method(kind: str, name: str) -> Api:
    """Return what is known of a method or attribute of a value of one kind: the `assign` of a `variable`."""
    if name not in METHODS.get(kind, ()):
        return Api(f"{kind}.{name}")
    return _member(kind, name, f"{kind}.{name}", "")


def method_result(kind: str, name: str, *, called: bool) -> str:
    """Return the kind of attribute `name` of a value or, if `called`, of what calling such a value gives.

    A method that is not called yet has the kind `owner.method`: `session.run`.
    """
    if not called:
        found = method(kind, name)
        return found.returns if "attribute" in found.traits else f"{kind}.{name}"
    owner, _, member = kind.partition(".")
    if not member:
        return method(kind, "__call__").returns
    found = method(owner, member)
    return "tensor" if not found.known and owner in ("tensor", "variable") else found.returns


@cache
def dataset_method(name: str) -> DatasetMethod | None:
    """Return what is known of a dataset method (`map`) or a transformation for `apply` (`map_and_batch`)."""
    entry = DATASET_METHODS.get(name)
    if entry is None:
        return None
    parameters, role, callback, parallel, neutral, batches = entry
    return DatasetMethod(
        name, tuple(parameters.split()), role, tuple(callback.split()), parallel or None, neutral, batches
    )


def is_dataset_source(name: str) -> bool:
    """Tell whether a call of a canonical name makes a dataset from something else."""
    return "source" in lookup(name).traits


@cache
def dataset_sources(framework: str = "tensorflow") -> frozenset[str]:
    """Return the canonical names whose call makes a dataset."""
    return frozenset(name for name in tables(framework).apis if is_dataset_source(name))


@cache
def makers(kind: str, framework: str) -> frozenset[str]:
    """Return the canonical names whose call gives a value of one kind."""
    return frozenset(name for name in tables(framework).apis if lookup(name).returns == kind)
