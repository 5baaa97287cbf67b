"""One module of the program: its source, its index, and the flow of each of its scopes."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from deepperf.facts.definitions import Definition, Definitions
from deepperf.facts.flow import Flow
from deepperf.facts.index import Index
from deepperf.facts.scopes import Function, Scope
from deepperf.facts.syntax import children
from deepperf.source import Source

if TYPE_CHECKING:
    from deepperf.facts.project import Project


class Module:
    """The facts of one file. `name` is its dotted import name, the file's stem where it belongs to no package."""

    def __init__(self, source: Source, name: str, project: Project, *, is_package: bool = False) -> None:
        self.source = source
        self.name = name
        self.project = project
        self.is_package = is_package
        self._flows: dict[Scope, Flow] = {}
        self._parents: dict[ast.AST, dict[ast.AST, ast.AST]] = {}

    def __repr__(self) -> str:
        return f"<module {self.name}>"

    @cached_property
    def index(self) -> Index:
        """What the traversal of the tree found."""
        return Index(self.source.tree, self)

    def cut(self) -> None:
        """Cut the cycles between the parts of a module that is no longer needed."""
        index = self.__dict__.get("index")
        if index is not None:
            for part in (*index.functions, *index.classes):
                part.scope.owner = None
            for cls in index.classes:
                cls.methods.clear()
                cls.setters.clear()
        self.__dict__.clear()

    def flow(self, scope: Scope) -> Flow:
        """Return the flow of a scope of this module."""
        flow = self._flows.get(scope)
        if flow is None:
            flow = self._flows[scope] = Flow(scope)
        return flow

    def absolute(self, module: str | None, level: int) -> str:
        """Return the dotted name that `from <dots><module> import` speaks of in this module."""
        if not level:
            return module or ""
        parts = self.name.split(".")
        keep = len(parts) - level + (1 if self.is_package else 0)
        base = parts[: max(keep, 0)]
        return ".".join([*base, module] if module else base)

    def definitions(self, node: ast.expr, scope: Scope) -> Definitions:
        """Return the definitions that may reach a name or attribute path used in `scope`.

        A name of an enclosing scope may hold whatever is ever assigned to it there, since the use may run later.
        """
        reaching = self.flow(scope).uses.get(node)
        if not isinstance(node, ast.Name):
            return reaching or ()
        holder = scope.holder(node.id)
        if reaching is None and holder is None:
            return ()
        if reaching is not None and scope is not self.index.scope:
            return reaching
        if holder is None:
            return reaching or ()
        found = reaching if reaching is not None else self._outside(node.id, holder)
        if node.id in self.index.globals_written and holder.kind == "module":
            found += (Definition(node.id, "declared", node, node, holder),)
        return found

    def _outside(self, name: str, holder: Scope) -> Definitions:
        """Return what a name of an enclosing scope may hold; a function wrapped by hand, `f = wrap(f)`, is the wrapped one."""
        flow = self.flow(holder)
        found = flow.definitions.get(name, ())
        wrapped: set[Definition] = set()
        if any(definition.kind == "function" for definition in found):
            for definition in found:
                if isinstance(definition.value, ast.Call):
                    for part in ast.walk(definition.value):
                        wrapped.update(
                            d for d in flow.uses.get(part, ()) if d.kind == "function" and d.name == name
                        )
        return tuple(definition for definition in found if definition not in wrapped)

    def parents(self, statement: ast.AST) -> dict[ast.AST, ast.AST]:
        """Return the parent of each node of a statement; the statements in it have their own."""
        known = self._parents.get(statement)
        if known is None:
            known = {}
            pending = [statement]
            while pending:
                node = pending.pop()
                below = [child for child in children(node) if not isinstance(child, ast.stmt)]
                known.update(dict.fromkeys(below, node))
                pending += below
            self._parents[statement] = known
        return known

    def function_named(self, name: str) -> Function | None:
        """Return the last function defined at module level under a name."""
        for function in reversed(self.index.functions):
            if function.name == name and function.context.scope.kind == "module":
                return function
        return None
