"""Who takes the elements of a dataset: the loops, calls and returns at which pipelines end."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from deepperf.facts.loops import Loop, Trips
from deepperf.facts.pipelines import Step
from deepperf.facts.scopes import CallSite, Context, Located, LoopSite, Scope
from deepperf.facts.values import Const, Pipeline
from deepperf.knowledge import dataset_method

if TYPE_CHECKING:
    from deepperf.facts.module import Module
    from deepperf.facts.project import Project

_MODULES = 12
_ITERATORS = frozenset(
    "as_numpy_iterator make_one_shot_iterator make_initializable_iterator __iter__".split()
)
_NEXT = frozenset("get_next next __next__".split())
# Builtins that only look at a dataset, or whose result is used in its place.
_LOOKING = frozenset(
    f"builtins.{name}"
    for name in "print len type isinstance repr str id bool hasattr iter enumerate zip".split()
) | {"tensorflow.data.experimental.cardinality"}


class Way(Enum):
    """How a dataset is used."""

    LOOP = "a loop runs over it"
    FIRST = "its first element is taken"
    ITERATOR = "an iterator is made"
    GIVEN = "it is given to a call"
    RETURNED = "it is returned"


class Use(NamedTuple):
    """A place where pipelines end: `steps` are the last steps of what arrives there."""

    way: Way
    located: Located
    steps: tuple[Step, ...]

    def paths(self) -> Iterator[tuple[Step, ...]]:
        """Yield the ways that data takes to get here."""
        for last in self.steps:
            yield from last.paths()

    def takes(self, call: ast.expr) -> bool:
        """Tell whether data of the step that `call` makes arrives here."""
        return any(step.call is call for path in self.paths() for step in path)


class Consumers:
    """Answers how datasets are used."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._known: dict[Module, tuple[Use, ...]] = {}

    def of(self, located: Located) -> list[Use]:
        """Return the uses of the dataset that a call makes: in its module, and where it is returned or passed to."""
        found: list[Use] = []
        modules = list(dict.fromkeys([located.module, *self._users(located)]))
        for module in modules:
            for use in self.uses_in(module):
                if use.takes(located.node):
                    found.append(use)
                    new = [other for other in self._next_modules(use) if other not in modules]
                    modules.extend(new[: _MODULES - len(modules)])
        return found

    def _users(self, located: Located) -> list[Module]:
        """Return the modules that make objects of the class whose method holds a place: fields carry datasets there."""
        function = located.function
        maker = (
            function.cls.methods.get("__init__")
            if function is not None and function.cls is not None
            else None
        )
        if maker is None:
            return []
        return [caller.call.module for caller in self.project.calls.callers(maker).sites]

    def uses_in(self, module: Module) -> tuple[Use, ...]:
        """Return the uses of datasets in a module."""
        known = self._known.get(module)
        if known is None:
            self._known[module] = ()
            found = [*self._loops(module), *self._calls(module), *self._returns(module)]
            known = self._known[module] = tuple(found)
        return known

    def _next_modules(self, use: Use) -> list[Module]:
        """Return the modules that a dataset goes on to from a use of it."""
        calls, located = self.project.calls, use.located
        if use.way is Way.RETURNED and located.function is not None:
            return [caller.call.module for caller in calls.callers(located.function).sites]
        if use.way is Way.GIVEN and isinstance(located, CallSite):
            return [target.function.module for target in calls.targets(located.node, located.scope)]
        return []

    def _loops(self, module: Module) -> Iterator[Use]:
        for site in module.index.loops:
            use = self.of_loop(site)
            if use is not None:
                yield use

    def of_loop(self, site: LoopSite) -> Use | None:
        """Return the use that a loop makes of the dataset it runs over, None if it runs over something else."""
        steps = () if isinstance(site.body.node, ast.While) else self.steps(site.node, site.scope)
        return Use(self._way_of_loop(site, steps), site, steps) if steps else None

    def _way_of_loop(self, site: LoopSite, steps: tuple[Step, ...]) -> Way:
        leaves = Loop(site.body, self.project.inference).trips is Trips.ONCE
        return Way.FIRST if leaves or all(self.takes_one(step) for step in steps) else Way.LOOP

    def takes_one(self, step: Step) -> bool:
        """Tell whether a step is `take(1)`."""
        if step.short != "take" or not isinstance(step.call, ast.Call) or not step.call.args:
            return False
        value = self.project.inference.one(step.call.args[0], step.scope, step.frame)
        return isinstance(value, Const) and value.value == 1

    def _calls(self, module: Module) -> Iterator[Use]:
        for call in module.index.calls:
            made = self.restarted(call)
            if made is not None:
                yield Use(Way.FIRST, call, self.steps(made, call.scope))
                continue
            function = call.node.func
            if isinstance(function, ast.Attribute) and function.attr in _ITERATORS:
                steps = self.steps(function.value, call.scope)
                if steps:
                    yield Use(Way.ITERATOR, call, steps)
            elif not (isinstance(function, ast.Attribute) and dataset_method(function.attr)):
                yield from self._arguments(call)

    def _arguments(self, call: CallSite) -> Iterator[Use]:
        given = [*call.node.args, *(keyword.value for keyword in call.node.keywords)]
        steps = tuple(step for argument in given for step in self.steps(argument, call.scope))
        if not steps:
            return
        name = self.project.inference.api(call.node.func, call.scope)
        if name == "builtins.iter":
            yield Use(Way.ITERATOR, call, steps)
        elif name not in _LOOKING:
            yield Use(Way.GIVEN, call, steps)

    def _returns(self, module: Module) -> Iterator[Use]:
        for function in module.index.functions:
            context = Context(function.context, "function", function.node, function.scope)
            for returned in module.flow(function.scope).returns:
                steps = self.steps(returned, function.scope)
                if steps:
                    yield Use(Way.RETURNED, Located(returned, context, function.node), steps)

    def steps(self, node: ast.expr, scope: Scope) -> tuple[Step, ...]:
        """Return the last steps of the pipelines that an expression is, or that it holds side by side."""
        if isinstance(node, ast.Tuple | ast.List):
            return tuple(step for element in node.elts for step in self.steps(element, scope))
        if not isinstance(
            node, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.IfExp | ast.Starred
        ):
            return ()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _SIDE_BY_SIDE:
            return tuple(step for element in node.args for step in self.steps(element, scope))
        values = self.project.inference.values(node, scope)
        return tuple(value.step for value in values if isinstance(value, Pipeline))

    def restarted(self, call: CallSite) -> ast.expr | None:
        """Return the dataset of which a call takes the first element by a new iterator: `next(iter(dataset))`."""
        node = call.node
        if isinstance(node.func, ast.Attribute) and node.func.attr in _NEXT and not node.args:
            return self._iterated(node.func.value, call)
        if node.args and self.project.inference.api(node.func, call.scope) == "builtins.next":
            return self._iterated(node.args[0], call)
        return None

    def _iterated(self, node: ast.expr, call: CallSite) -> ast.expr | None:
        """Return the dataset that an iterator runs over, if it is made for this one call."""
        if isinstance(node, ast.Name):
            definitions = call.module.definitions(node, call.scope)
            if len(definitions) != 1 or definitions[0].scope is not call.scope or definitions[0].path:
                return None
            made = definitions[0].value
            uses = sum(definitions[0] in found for found in call.module.flow(call.scope).uses.values())
            if uses > 1:
                return None
            near = isinstance(made, ast.Call) and self._has_same_loops(definitions[0].node, call)
            return self._iterated(made, call) if made is not None and near else None
        if not isinstance(node, ast.Call):
            return None
        name = self.project.inference.api(node.func, call.scope)
        if name is not None and name.rpartition(".")[2] in ("iter", *_ITERATORS) and node.args:
            dataset = node.args[0]
        elif name is None and isinstance(node.func, ast.Attribute) and node.func.attr in _ITERATORS:
            dataset = node.func.value
        else:
            return None
        values = self.project.inference.values(dataset, call.scope)
        return dataset if values and all(isinstance(value, Pipeline) for value in values) else None

    def _has_same_loops(self, node: ast.AST, call: CallSite) -> bool:
        """Tell whether a node of a call's function runs once for each run of the call: the same loops are around both."""
        loops = [
            Loop(step, self.project.inference)
            for step in call.context.within_function()
            if step.kind in ("loop", "comprehension")
        ]
        return all(loop.runs(node) for loop in loops)


_SIDE_BY_SIDE = frozenset({"zip", "enumerate", "tqdm", "trange"})
