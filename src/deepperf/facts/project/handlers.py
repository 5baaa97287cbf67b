"""What frameworks call again and again: answers to requests, work on each row, hooks of each step."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from deepperf.facts.guards import leaves_if_made, runs_once
from deepperf.facts.project.handing import Handing, imports
from deepperf.facts.scopes import CallSite, Class, Context, Function, Located
from deepperf.model import Place

if TYPE_CHECKING:
    from deepperf.facts.module import Module
    from deepperf.facts.project import Project

_DEPTH = 3
_ROUTES = frozenset("route get post put patch delete api_route websocket".split())
_TASKS = frozenset({"task", "shared_task"})
_VIEWS = ("MethodView", "View", "APIView", "ViewSet", "GenericAPIView", "Resource", "RequestHandler")
_VIEW_METHODS = frozenset("get post put patch delete dispatch_request create list retrieve".split())
_STEPS = frozenset("forward training_step validation_step test_step predict_step".split())
_MODULES = frozenset({"torch.nn.Module", "lightning.LightningModule"})
_DATASETS = frozenset({"torch.utils.data.Dataset", "keras.utils.Sequence", "keras.utils.PyDataset"})


class Handler(NamedTuple):
    """What calls a place again and again: `kind` is `request`, `row` or `step`, `words` say when.

    `function` is what is called, None for a script that Streamlit runs again as a whole.
    """

    kind: str
    words: str
    place: Place
    function: Function | None


class Handlers:
    """Answers which functions are handlers, and which places run again and again because of them."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.handing = Handing(project)
        self._scripts: dict[Module, bool] = {}

    def of(self, located: Located, depth: int = 0) -> Handler | None:
        """Return the handler that runs a place each time, directly or through functions of the project.

        None is returned too where something keeps what the place makes: a test for it, a decorator.
        """
        if runs_once(located.context):
            return None
        taken = self._in_lambda(located.context)
        function = located.function
        if taken is not None or function is None:
            return taken or self._script(located)
        if self.project.hotness.is_memoised(function) or leaves_if_made(function.node.body, located.node):
            return None
        found = self.handler(function)
        if found is not None or depth >= _DEPTH:
            return found
        for caller in self.project.calls.callers(function).sites:
            found = self.of(caller.call, depth + 1)
            if found is not None:
                return found
        return None

    def handler(self, function: Function) -> Handler | None:
        """Return what calls a function again and again itself, None if it is no handler."""
        return self._routed(function) or self._method(function) or self._handed(function)

    def _routed(self, function: Function) -> Handler | None:
        for decorator in function.node.decorator_list:
            callee = decorator.func if isinstance(decorator, ast.Call) else decorator
            last = callee.attr if isinstance(callee, ast.Attribute) else getattr(callee, "id", "")
            if last in _ROUTES and isinstance(callee, ast.Attribute) and _has_path(decorator):
                return self._found("request", "request", function, decorator)
            if last in _TASKS and imports(function.module, "celery"):
                return self._found("request", "task", function, decorator)
        return None

    def _method(self, function: Function) -> Handler | None:
        cls = function.cls
        if cls is None:
            return None
        names = [base for base in self.project.classes.order(cls) if isinstance(base, str)]
        written = [ast.unparse(base).rpartition(".")[2] for base in cls.node.bases]
        if function.name in _VIEW_METHODS and _is_view(written, cls):
            return self._found("request", "request", function, function.node)
        if any(name.endswith("Servicer") for name in written) and len(function.positional) == 3:
            return self._found("request", "request", function, function.node)
        if function.name in _STEPS and not _MODULES.isdisjoint(names):
            return self._found("step", f"call of `{function.name}`", function, function.node)
        if function.name == "__getitem__" and not _DATASETS.isdisjoint(names):
            return self._found("row", "item of the dataset", function, function.node)
        return None

    def _handed(self, function: Function) -> Handler | None:
        for call in self.project.calls.callers(function).handed_on:
            taken = self.handing.taken(call)
            if taken is not None:
                place = call.module.source.place(call.node, f"{function.name} is handed over here")
                return Handler(*taken, place, function)
        return None

    def _in_lambda(self, context: Context) -> Handler | None:
        for step in context.within_function():
            if step.kind == "lambda":
                call = self.project.regions.taker(step)
                taken = self.handing.taken(call) if call is not None else None
                if call is not None and taken is not None:
                    return Handler(
                        *taken, call.module.source.place(call.node, "the lambda is handed over here"), None
                    )
        return None

    def _script(self, located: Located) -> Handler | None:
        """Return Streamlit, if it runs the module of a place from top to bottom for each interaction."""
        module = located.module
        if module not in self._scripts:
            self._scripts[module] = imports(module, "streamlit") and self._shows(module)
        if not self._scripts[module] or any(step.kind == "class" for step in located.context):
            return None
        place = module.source.place(located.node, "Streamlit runs the whole script again")
        return Handler("request", "rerun of the Streamlit script", place, None)

    def _shows(self, module: Module) -> bool:
        """Tell whether the top of a module, or a function that it calls, shows something with Streamlit."""
        own = self.project.calls.of_scope(module.index.scope)
        inner = [t.function.scope for call in own for t in self.project.calls.targets(call.node, call.scope)]
        shown = [
            call for scope in inner if scope.module is module for call in self.project.calls.of_scope(scope)
        ]
        return any(self._is_widget(call) for call in (*own, *shown))

    def _is_widget(self, call: CallSite) -> bool:
        name = self.project.inference.api(call.node.func, call.scope) or ""
        return name.startswith("streamlit.") and "cache" not in name

    @staticmethod
    def _found(kind: str, words: str, function: Function, node: ast.AST) -> Handler:
        verb = "answers requests" if kind == "request" else "is called again and again"
        return Handler(kind, words, function.module.source.place(node, f"{function.name} {verb}"), function)


def _has_path(decorator: ast.expr) -> bool:
    first = decorator.args[0] if isinstance(decorator, ast.Call) and decorator.args else None
    return isinstance(first, ast.Constant) and str(first.value).startswith("/")


def _is_view(written: list[str], cls: Class) -> bool:
    if any(name.endswith(("Resource", "MethodView", "APIView", "ViewSet")) for name in written):
        return True
    return any(name in _VIEWS for name in written) and any(
        imports(cls.module, root) for root in ("flask", "django", "rest_framework", "tornado")
    )
