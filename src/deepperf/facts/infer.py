"""Which values an expression can have, asked one expression at a time and bounded in depth and work."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from deepperf.facts.builtin import builtin_result, element_of, is_builtin
from deepperf.facts.definitions import Definition
from deepperf.facts.pipelines import Step
from deepperf.facts.scopes import Class, Function, Scope
from deepperf.facts.syntax import dotted_name, is_super
from deepperf.facts.values import (
    UNKNOWN,
    Api,
    ClassRef,
    Const,
    Frame,
    Func,
    Instance,
    LambdaRef,
    Made,
    ModuleRef,
    Pipeline,
    Plain,
    Sequence,
    Value,
    Values,
)
from deepperf.knowledge import (
    canonical,
    dataset_method,
    is_dataset_source,
    is_framework_root,
    lookup,
    method_result,
)

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_ALTERNATIVES = 8
_CALL_DEPTH = 4
_DEPTH = 60
_WORK = 1500
_NOTHING: Values = (UNKNOWN,)
_ONLY_IMPORTED = {"import"}

Key = tuple[ast.AST, Frame | None]


def merge(groups: list[Values]) -> Values:
    """Join the alternatives of several values, without duplicates; too many of them mean that nothing is known."""
    found: list[Value] = []
    for group in groups:
        found.extend(value for value in group if value not in found)
    if not found or len(found) > _ALTERNATIVES:
        return _NOTHING
    return tuple(found)


class Inference:
    """Answers which values expressions have. One per project; answers are remembered."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._known: dict[Key, Values] = {}
        self._active: set[Key] = set()
        self._dependent: set[Key] = set()
        self._applications: dict[ast.Call, ast.Call] = {}
        self._frames: dict[tuple[Function, ast.Call, Frame | None], Frame] = {}
        self._returned: dict[Function, Values | None] = {}
        self._work = 0
        self._cut_off = False
        self._asked_parameter = False

    def values(self, node: ast.expr, scope: Scope, frame: Frame | None = None) -> Values:
        """Return what `node`, evaluated in `scope`, may be. `frame` binds the parameters where one call is followed."""
        spelled = self._spelled(node, scope)
        return (Api(spelled),) if spelled is not None else self._evaluated(node, scope, frame)

    def _evaluated(self, node: ast.expr, scope: Scope, frame: Frame | None) -> Values:
        key = (node, frame)
        known = self._known.get(key)
        if known is not None:
            self._asked_parameter = self._asked_parameter or key in self._dependent
            return known
        if not self._active:
            self._work, self._cut_off = 0, False
        self._work += 1
        if key in self._active or len(self._active) > _DEPTH or self._work > _WORK:
            self._cut_off = True
            return _NOTHING
        self._active.add(key)
        outer, self._asked_parameter = self._asked_parameter, False
        try:
            found = self._evaluate(node, scope, frame)
        finally:
            self._active.discard(key)
        if self._asked_parameter:
            self._dependent.add(key)
        self._asked_parameter = outer or self._asked_parameter
        # An answer cut short is no fact: only the question as a whole may be remembered, so that its cost is paid once.
        if not self._cut_off or not self._active:
            self._known[key] = found
        return found

    def one(self, node: ast.expr, scope: Scope, frame: Frame | None = None) -> Value:
        """Return the only value `node` can have, UNKNOWN if there are several."""
        found = self.values(node, scope, frame)
        return found[0] if len(found) == 1 else UNKNOWN

    def api(self, node: ast.expr, scope: Scope, frame: Frame | None = None) -> str | None:
        """Return the canonical name of the API that `node` stands for, None if it is none or not for sure."""
        spelled = self._spelled(node, scope)
        if spelled is not None:
            return spelled
        imported = _imported_name(node, scope)
        if imported is not None and self.project.modules.defined_as(imported, scope.module):
            return None
        found = self._evaluated(node, scope, frame)
        names = {value.name for value in found if isinstance(value, Api)}
        return names.pop() if len(names) == 1 and all(isinstance(value, Api) for value in found) else None

    def is_function(self, node: ast.expr, scope: Scope) -> bool:
        """Tell whether a name surely stands for a function of another module, which need not be parsed for that."""
        imported = _imported_name(node, scope)
        return imported is not None and self.project.modules.defined_as(imported, scope.module) == b"def"

    @staticmethod
    def _spelled(node: ast.expr, scope: Scope) -> str | None:
        """Return the API a dotted name spells, where its first name is an import and nothing else: no flow is needed then."""
        if isinstance(node, ast.Name) and scope.holder(node.id) is None:
            is_plain = is_builtin(node.id) and not scope.module.index.star_imports
            return f"builtins.{node.id}" if is_plain else None
        name = _imported_name(node, scope)
        return canonical(name) if name is not None and is_framework_root(name.partition(".")[0]) else None

    def _evaluate(self, node: ast.expr, scope: Scope, frame: Frame | None) -> Values:
        if isinstance(node, ast.Name):
            return self._name(node, scope, frame)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, scope, frame)
        if isinstance(node, ast.Call):
            return self._call(node, scope, frame)
        if isinstance(node, ast.Constant):
            return (Const(node.value),)
        if isinstance(node, ast.IfExp):
            return merge([self.values(node.body, scope, frame), self.values(node.orelse, scope, frame)])
        if isinstance(node, ast.BoolOp):
            return merge([self.values(value, scope, frame) for value in node.values])
        if isinstance(node, ast.NamedExpr | ast.Await | ast.Starred):
            return self.values(node.value, scope, frame)
        if isinstance(node, ast.Lambda):
            return (LambdaRef(node, scope, frame),)
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return (Sequence(type(node).__name__.lower(), tuple(node.elts), scope, frame),)
        if isinstance(node, ast.Dict):
            return (Sequence("dict", tuple(node.values), scope, frame),)
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            return (Sequence(type(node).__name__.lower(), None, scope, frame),)
        if isinstance(node, ast.JoinedStr):
            return (Plain("string"),)
        if isinstance(node, ast.Compare | ast.BinOp | ast.UnaryOp):
            return self._operator(node, scope, frame)
        if isinstance(node, ast.Subscript):
            return self._subscript(node, scope, frame)
        return _NOTHING

    # names and attributes

    def _name(self, node: ast.Name, scope: Scope, frame: Frame | None) -> Values:
        definitions = scope.module.definitions(node, scope)
        if not definitions:
            if is_builtin(node.id):
                return (Api(f"builtins.{node.id}"),)
            return self.project.star_import(node.id, scope.module)
        return merge(
            [
                self.defined(definition, frame if definition.scope is scope else None)
                for definition in definitions
            ]
        )

    def defined(self, definition: Definition, frame: Frame | None = None) -> Values:
        """Return what a definition gives its name."""
        kind = definition.kind
        if kind == "import":
            return self._imported(definition)
        if kind in ("function", "class"):
            owner = definition.scope.module.index.by_node.get(definition.node)
            if isinstance(owner, Function):
                return self._decorated(owner)
            return (ClassRef(owner),) if isinstance(owner, Class) else _NOTHING
        if kind == "parameter":
            return self._parameter(definition, frame)
        if kind in ("assign", "walrus", "with") and definition.value is not None:
            return self._part(definition.value, definition.path, definition.scope, frame)
        if kind in ("for", "comprehension") and definition.value is not None:
            return element_of(self, definition, frame)
        if kind == "augmented" and isinstance(definition.statement, ast.AugAssign):
            before = self.values(definition.statement.target, definition.scope, frame)
            return before if all(isinstance(value, Made | Plain) for value in before) else _NOTHING
        return _NOTHING

    def _decorated(self, function: Function) -> Values:
        """A decorated function is still that function; what the decorators do to it is the regions' business."""
        return (Func(function),)

    def _imported(self, definition: Definition) -> Values:
        scope = definition.scope
        for imported in scope.imports.get(definition.name, ()):
            if definition.node in imported.node.names:  # type: ignore[attr-defined]
                return self.project.resolve(imported.dotted, scope.module)
        return _NOTHING

    def _part(self, node: ast.expr, path: tuple[int, ...], scope: Scope, frame: Frame | None) -> Values:
        for depth, index in enumerate(path):
            if isinstance(node, ast.Tuple | ast.List) and 0 <= index < len(node.elts):
                node = node.elts[index]
                continue
            rest = path[depth:]
            return merge([self._element(value, rest) for value in self.values(node, scope, frame)])
        return self.values(node, scope, frame)

    def _element(self, value: Value, path: tuple[int, ...]) -> Values:
        if isinstance(value, Sequence) and value.elements is not None and 0 <= path[0] < len(value.elements):
            return self._part(value.elements[path[0]], path[1:], value.scope, value.frame)
        if isinstance(value, Made) and value.kind == "tensor":
            return (value,)
        if (
            isinstance(value, Pipeline)
            and value.step.name == "tensorflow_datasets.load"
            and path in ((0,), (0, 0), (0, 1))
        ):
            # With `with_info` the dataset comes first, with several splits a list of them.
            return (value,)
        return _NOTHING

    def _parameter(self, definition: Definition, frame: Frame | None) -> Values:
        function = definition.scope.function
        if function is None:
            return _NOTHING
        if definition.name != function.self_name:
            self._asked_parameter = True
        if frame is not None and frame.function is function:
            passed = self.passed(frame, definition.name)
            if passed is not None:
                return passed
        if definition.name == function.self_name and function.cls is not None:
            return (Instance(function.cls),)
        return self.project.parameter_values(function, definition.name)

    def passed(self, frame: Frame, name: str) -> Values | None:
        """Return what a frame's call passes for a parameter of its function; None if that cannot be seen."""
        function = frame.function
        if name == function.self_name and frame.bound is not None:
            return (frame.bound,)
        expression = self.project.calls.argument_for(
            function, name, frame.call, bound=frame.bound is not None
        )
        if expression is not None:
            return self.values(expression, frame.scope, frame.caller)
        default = function.default(name)
        if default is None or any(keyword.arg is None for keyword in frame.call.keywords):
            return None
        return self.values(default, function.context.scope)

    def _attribute(self, node: ast.Attribute, scope: Scope, frame: Frame | None) -> Values:
        definitions = scope.module.flow(scope).uses.get(node)
        if definitions:
            return merge([self.defined(definition, frame) for definition in definitions])
        if is_super(node.value):
            return self.project.classes.inherited(scope, node.attr)
        return merge([self.member(value, node, scope) for value in self.values(node.value, scope, frame)])

    def member(self, value: Value, node: ast.Attribute, scope: Scope) -> Values:
        """Return what attribute `node` of an object is."""
        name = node.attr
        if isinstance(value, Api):
            return (Api(canonical(f"{value.name}.{name}")),)
        if isinstance(value, ModuleRef):
            return self.project.member(value.module, name)
        if isinstance(value, Instance | ClassRef):
            return self.project.classes.member(value, name)
        if isinstance(value, Made):
            return (Made(method_result(value.kind, name, called=False), f"{value.api}.{name}", node),)
        return _NOTHING

    # calls

    def _call(self, node: ast.Call, scope: Scope, frame: Frame | None) -> Values:
        if isinstance(node.func, ast.Attribute):
            receivers = self.values(node.func.value, scope, frame)
            if any(isinstance(value, Pipeline) for value in receivers):
                return self._transformed(node, node.func.attr, receivers, scope, frame)
        return merge(
            [self.result(value, node, scope, frame) for value in self.values(node.func, scope, frame)]
        )

    def _transformed(
        self, node: ast.Call, name: str, receivers: Values, scope: Scope, frame: Frame | None
    ) -> Values:
        method = dataset_method(name)
        if method is None or method.role == "sink":
            known = lookup(f"tensorflow.data.Dataset.{name}")
            return (Made(known.returns, known.name, node),) if known.known else _NOTHING
        inputs = tuple(value.step for value in receivers if isinstance(value, Pipeline))
        complete = len(inputs) == len(receivers)
        if name == "apply" and node.args:
            return self._applied(node, inputs, scope, frame)
        if name in ("concatenate", "zip"):
            others = [v for argument in node.args for v in self.values(argument, scope, frame)]
            inputs += tuple(value.step for value in others if isinstance(value, Pipeline))
        step = Step(f"tensorflow.data.Dataset.{name}", node, scope, frame, inputs, complete)
        return (Pipeline(step),)

    def _applied(self, node: ast.Call, inputs: tuple[Step, ...], scope: Scope, frame: Frame | None) -> Values:
        argument = node.args[0]
        own = [v for v in self.values(argument, scope, frame) if isinstance(v, Func | LambdaRef)]
        if own and isinstance(node.func, ast.Attribute):
            call = ast.copy_location(ast.Call(argument, [node.func.value], []), node)
            return merge(
                [self.result(value, self._applications.setdefault(node, call), scope, frame) for value in own]
            )
        if isinstance(argument, ast.Call):
            name = self.api(argument.func, scope, frame)
            if name is not None:
                return (Pipeline(Step(name, argument, scope, frame, inputs)),)
        return (Pipeline(Step("tensorflow.data.Dataset.apply", node, scope, frame, inputs)),)

    def result(self, callee: Value, node: ast.Call, scope: Scope, frame: Frame | None) -> Values:
        """Return what calling `callee` by `node` gives."""
        if isinstance(callee, Api):
            return self._api_result(callee.name, node, scope, frame)
        if isinstance(callee, Func):
            return self._function_result(callee, node, scope, frame)
        if isinstance(callee, ClassRef):
            if self.project.classes.extends(callee.cls, "tensorflow.data.Dataset"):
                return (Pipeline(Step("tensorflow.data.Dataset", node, scope, frame)),)
            return (Instance(callee.cls),)
        if isinstance(callee, LambdaRef):
            return (
                self.values(callee.node.body, callee.scope, callee.frame)
                if not callee.node.args.args
                else _NOTHING
            )
        if isinstance(callee, Instance):
            return merge(
                [self.result(value, node, scope, frame) for value in self.project.classes.call_of(callee)]
            )
        if isinstance(callee, Made):
            return (Made(method_result(callee.kind, "__call__", called=True), callee.api, node),)
        return _NOTHING

    def _api_result(self, name: str, node: ast.Call, scope: Scope, frame: Frame | None) -> Values:
        if name.startswith("builtins."):
            return builtin_result(self, name[9:], node, scope, frame)
        if (
            name in ("functools.partial", "tensorflow.function", "functools.wraps", "functools.lru_cache")
            and node.args
        ):
            return self._wrapped(name, node, scope, frame)
        if is_dataset_source(name):
            return (Pipeline(Step(name, node, scope, frame)),)
        if name.startswith("tensorflow.data.Dataset."):
            return _NOTHING
        api = lookup(name)
        if api.returns == "dataset":
            return (Pipeline(Step(name, node, scope, frame)),)
        if api.returns in ("number", "string"):
            return (Plain(api.returns),)
        return (Made(api.returns, name, node),) if api.known else _NOTHING

    def _wrapped(self, name: str, node: ast.Call, scope: Scope, frame: Frame | None) -> Values:
        inner = self.values(node.args[0], scope, frame)
        if name != "functools.partial":
            return inner
        return tuple(
            Func(value.function, value.bound, node)
            if isinstance(value, Func) and value.given is None
            else value
            for value in inner
        )

    def _function_result(self, callee: Func, node: ast.Call, scope: Scope, frame: Frame | None) -> Values:
        function = callee.function
        depth = frame.depth if frame is not None else 0
        if (
            depth >= _CALL_DEPTH
            or isinstance(function.node, ast.AsyncFunctionDef)
            or callee.given is not None
        ):
            return _NOTHING
        own_class = callee.bound is None or (
            isinstance(callee.bound, Instance) and callee.bound.cls is function.cls
        )
        if own_class:
            whatever_is_passed = self._independent_result(function)
            if whatever_is_passed is not None:
                return whatever_is_passed
        key = (function, node, frame)
        inner = self._frames.get(key)
        if inner is None:
            inner = self._frames[key] = Frame(function, node, scope, frame, callee.bound)
        return merge(
            [self.values(expression, function.scope, inner) for expression in self._results(function)]
        )

    def _independent_result(self, function: Function) -> Values | None:
        """Return what a function gives whatever its arguments are, None if it depends on them."""
        if function not in self._returned:
            self._returned[function] = None
            outer, self._asked_parameter = self._asked_parameter, False
            found = merge([self.values(expression, function.scope) for expression in self._results(function)])
            if not self._asked_parameter:
                self._returned[function] = found
            self._asked_parameter = outer
        return self._returned[function]

    @staticmethod
    def _results(function: Function) -> list[ast.expr]:
        """Return the expressions a function returns; none for a generator."""
        flow = function.module.flow(function.scope)
        return [] if flow.is_generator else flow.returns

    # operators

    def _operator(
        self, node: ast.Compare | ast.BinOp | ast.UnaryOp, scope: Scope, frame: Frame | None
    ) -> Values:
        if isinstance(node, ast.Compare):
            operands = [node.left, *node.comparators]
        else:
            operands = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.operand]
        found = [self.values(operand, scope, frame) for operand in operands]
        for group in found:
            for value in group:
                if isinstance(value, Made) and value.kind in ("tensor", "variable", "array"):
                    return (Made("tensor" if value.kind == "variable" else value.kind, value.api, node),)
        if isinstance(node, ast.Compare):
            return (Plain("bool"),) if all(UNKNOWN not in group for group in found) else _NOTHING
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            numbers = [v.value for v in found[0] if isinstance(v, Const) and isinstance(v.value, int | float)]
            if len(numbers) == len(found[0]):
                return tuple(Const(-number) for number in numbers)
        if all(isinstance(value, Const | Plain) for group in found for value in group):
            return (Plain("number"),)
        return _NOTHING

    def _subscript(self, node: ast.Subscript, scope: Scope, frame: Frame | None) -> Values:
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        groups: list[Values] = []
        for value in self.values(node.value, scope, frame):
            if isinstance(value, Made) and value.kind in ("tensor", "array", "variable"):
                groups.append((Made("tensor" if value.kind == "variable" else value.kind, value.api, node),))
            elif isinstance(value, Sequence) and value.kind != "dict" and isinstance(index, int):
                groups.append(self._element(value, (index,)))
            elif (
                isinstance(index, int)
                and isinstance(node.value, ast.Attribute)
                and node.value.attr == "shape"
            ):
                groups.append((Plain("number"),))
            elif (
                isinstance(value, Pipeline)
                and isinstance(index, str)
                and value.step.name == "tensorflow_datasets.load"
            ):
                groups.append((value,))
            else:
                groups.append(_NOTHING)
        return merge(groups)

    def describe(self, node: ast.expr) -> str:
        """Return the dotted source text of a callee, for messages."""
        return dotted_name(node) or ast.unparse(node)


def _imported_name(node: ast.expr, scope: Scope) -> str | None:
    """Return the full dotted name of an expression whose first name is an import and nothing else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    holder = scope.holder(node.id) if isinstance(node, ast.Name) else None
    if not isinstance(node, ast.Name) or holder is None or holder.bound[node.id] != _ONLY_IMPORTED:
        return None
    dotted = {found.dotted for found in holder.imports[node.id]}
    return ".".join([dotted.pop(), *reversed(parts)]) if len(dotted) == 1 else None
