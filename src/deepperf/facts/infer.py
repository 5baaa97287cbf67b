"""Which values an expression can have, asked one expression at a time and bounded in depth and work."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from deepperf.facts.builtin import element_of, is_builtin
from deepperf.facts.definitions import Definition
from deepperf.facts.operators import combined, item_result, operator_result
from deepperf.facts.results import Results
from deepperf.facts.scopes import Class, Function, Scope
from deepperf.facts.syntax import is_super
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
    merge,
)
from deepperf.knowledge import (
    canonical,
    is_framework_root,
    method_result,
)

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 60
_WORK = 1500
_NOTHING: Values = (UNKNOWN,)
_ONLY_IMPORTED = {"import"}

Key = tuple[ast.AST, Frame | None]


class Inference:
    """Answers which values expressions have. One per project; answers are remembered."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._known: dict[Key, Values] = {}
        self._active: set[Key] = set()
        self._dependent: set[Key] = set()
        self._results = Results(self)
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

    def without_parameters(self, nodes: list[ast.expr], scope: Scope) -> Values | None:
        """Return what expressions of a function are whatever it is passed, None if that makes a difference."""
        outer, self._asked_parameter = self._asked_parameter, False
        found = merge([self.values(node, scope) for node in nodes])
        depends, self._asked_parameter = self._asked_parameter, outer
        return None if depends else found

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
            return self._results.of_call(node, scope, frame)
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
            return operator_result(self, node, scope, frame)
        if isinstance(node, ast.Subscript):
            return item_result(self, node, scope, frame)
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
        if kind == "with" and definition.value is not None and not definition.path:
            entered = self.values(definition.value, definition.scope, frame)
            return merge([self._results.of_entering(value, definition.value) for value in entered])
        if kind in ("assign", "walrus", "with") and definition.value is not None:
            return self._part(definition.value, definition.path, definition.scope, frame)
        if kind in ("for", "comprehension") and definition.value is not None:
            return element_of(self, definition, frame)
        if kind == "augmented" and isinstance(definition.statement, ast.AugAssign):
            statement = definition.statement
            operands = [
                self.values(part, definition.scope, frame) for part in (statement.target, statement.value)
            ]
            return combined(operands, statement)
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
            return merge([self.element(value, rest) for value in self.values(node, scope, frame)])
        return self.values(node, scope, frame)

    def element(self, value: Value, path: tuple[int, ...]) -> Values:
        """Return the part of a value that lies at a path of indexes into nested tuples."""
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
