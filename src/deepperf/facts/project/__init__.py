"""The program as a whole: modules found on demand, and what crosses their borders."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

from deepperf.facts.definitions import Definition
from deepperf.facts.infer import Inference
from deepperf.facts.module import Module
from deepperf.facts.project.batchable import Batchability
from deepperf.facts.project.callbacks import Callbacks
from deepperf.facts.project.calls import Calls
from deepperf.facts.project.classes import Classes
from deepperf.facts.project.conditions import Conditions
from deepperf.facts.project.consumers import Consumers
from deepperf.facts.project.drivers import Drivers
from deepperf.facts.project.effects import Effects
from deepperf.facts.project.fixed import Fixed
from deepperf.facts.project.growth import Growth
from deepperf.facts.project.handlers import Handlers
from deepperf.facts.project.hotness import Hotness
from deepperf.facts.project.invariance import Invariance
from deepperf.facts.project.mapped import MappedFunctions
from deepperf.facts.project.models import Models
from deepperf.facts.project.modules import Modules
from deepperf.facts.project.nested_loops import NestedLoops
from deepperf.facts.project.passes import Passes
from deepperf.facts.project.purity import Purity
from deepperf.facts.project.regions import Regions
from deepperf.facts.project.row_functions import RowFunctions
from deepperf.facts.project.row_loops import RowLoops
from deepperf.facts.project.singles import Singles
from deepperf.facts.project.trained_on import TrainedOn
from deepperf.facts.scopes import CallSite, Function
from deepperf.facts.values import UNKNOWN, Api, Made, ModuleRef, Value, Values, merge
from deepperf.facts.versions import Versions
from deepperf.knowledge import canonical, is_framework_root
from deepperf.source import Source


class Project:
    """The modules below `root`, and the questions that need more than one of them.

    `read` turns a file into a source; it raises `SourceError` for a file that cannot be used.
    """

    def __init__(self, root: Path, versions: Versions, read: Callable[[Path], Source]) -> None:
        self.root = root
        self.versions = versions
        self.modules = Modules(self, root, read)
        self.forget()

    def forget(self) -> None:
        """Drop every answer, and what was read of the modules: memory is bounded, and all of it can be found out again."""
        self.modules.clear()
        for part in vars(self).values():
            # Parts that hold each other, and so all syntax trees, would stay without the garbage collector.
            if part is not self.modules and getattr(part, "project", None) is self:
                vars(part).clear()
        self.inference = Inference(self)
        self.calls = Calls(self)
        self.classes = Classes(self)
        self.effects = Effects(self)
        self.purity = Purity(self)
        self.regions = Regions(self)
        self.invariance = Invariance(self)
        self.hotness = Hotness(self)
        self.mapped = MappedFunctions(self)
        self.batchable = Batchability(self)
        self.callbacks = Callbacks(self)
        self.consumers = Consumers(self)
        self.passes = Passes(self)
        self.drivers = Drivers(self)
        self.conditions = Conditions(self)
        self.fixed = Fixed(self)
        self.handlers = Handlers(self)
        self.models = Models(self)
        self.singles = Singles(self)
        self.growth = Growth(self)
        self.row_functions = RowFunctions(self)
        self.row_loops = RowLoops(self)
        self.trained_on = TrainedOn(self)
        self.nested_loops = NestedLoops(self)
        self._parameters: dict[tuple[Function, str], Values] = {}

    def resolve(self, dotted: str, importer: Module) -> Values:
        """Return what an imported dotted name stands for: something of the project, or an API."""
        root = dotted.partition(".")[0]
        if is_framework_root(root):
            return (Api(canonical(dotted)),)
        parts = dotted.split(".")
        for length in range(len(parts), 0, -1):
            module = self.modules.find(".".join(parts[:length]), importer)
            if module is None:
                continue
            found: Values = (ModuleRef(module),)
            for name in parts[length:]:
                found = merge(
                    [self.member(v.module, name) if isinstance(v, ModuleRef) else (UNKNOWN,) for v in found]
                )
            return found
        return (Api(canonical(dotted)),)

    def member(self, module: Module, name: str) -> Values:
        """Return what a name of a project module stands for: a definition of it, or a submodule."""
        scope = module.index.scope
        if name in scope.bound:
            definitions = module.flow(scope).definitions.get(name, ())
            return merge([self.inference.defined(definition) for definition in definitions])
        submodule = self.modules.find(f"{module.name}.{name}", module)
        if submodule is not None:
            return (ModuleRef(submodule),)
        return self.star_import(name, module)

    def star_import(self, name: str, module: Module, depth: int = 0) -> Values:
        """Return what a name that only a star import can have bound stands for."""
        if depth > 5 or name.startswith("_"):
            return (UNKNOWN,)
        for dotted in module.index.star_imports:
            if is_framework_root(dotted.partition(".")[0]):
                return (Api(canonical(f"{dotted}.{name}")),)
            target = self.modules.find(dotted, module)
            if target is None or target is module:
                continue
            if name in target.index.scope.bound:
                return self.member(target, name)
            found = self.star_import(name, target, depth + 1)
            if found != (UNKNOWN,):
                return found
        return (UNKNOWN,)

    def parameter_values(self, function: Function, name: str) -> Values:
        """Return what a parameter may be: by its annotation, else by what the known callers pass."""
        key = (function, name)
        known = self._parameters.get(key)
        if known is not None:
            return known
        self._parameters[key] = (UNKNOWN,)
        annotated = self.classes.annotated(function, name)
        found = (annotated,) if annotated is not None else self._from_callers(function, name)
        self._parameters[key] = found
        return found

    def _from_callers(self, function: Function, name: str) -> Values:
        groups: list[Values] = []
        for caller in self.calls.callers(function).sites:
            expression = self.calls.argument_for(function, name, caller.call.node, bound=caller.bound)
            if expression is not None:
                groups.append(self.inference.values(expression, caller.call.scope))
        groups += [self._handed_values(call) for call in self.calls.callers(function).handed_on]
        default = function.default(name)
        if default is not None and not isinstance(default, ast.Constant):
            groups.append(self.inference.values(default, function.context.scope))
        return merge(groups)

    def _handed_values(self, call: CallSite) -> Values:
        """Return what a function gets that is handed to a dataset: tensors, or from `apply` the dataset itself."""
        if call.method_name == "apply" and isinstance(call.node.func, ast.Attribute):
            return self.inference.values(call.node.func.value, call.scope)
        if self.regions.is_dataset_callback(call):
            return (Made("tensor", "tensorflow.data.Dataset", call.node),)
        return (UNKNOWN,)

    def field_definitions(self, value: Value, name: str) -> list[Definition]:
        """Return the definitions of a field of a project object, over its class and the bases."""
        return self.classes.field_definitions(value, name)
