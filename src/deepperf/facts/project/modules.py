"""Finding the project's modules by name, and keeping a bounded number of them in memory."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from deepperf.facts.module import Module
from deepperf.facts.scopes import Function
from deepperf.source import Source, SourceError, discover

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_TOP = re.compile(rb"^(?:async[ \t]+)?(def|class)[ \t]+(\w+)", re.MULTILINE)
# How much text may be held as modules: it takes about fifty times as much memory with all that is known of it.
_KEPT = 12_000_000
_CONTEXT_FILES = 20_000
_CONTEXT_BYTES = 300_000_000


class Modules:
    """The modules of a project, read when they are asked for."""

    def __init__(self, project: Project, root: Path, read: Callable[[Path], Source]) -> None:
        self.project = project
        self.root = root
        self._read = read
        self._modules: dict[Path, Module | None] = {}
        self._kept = 0
        self._located: dict[tuple[str, Path], Path | None] = {}
        self._tops: dict[tuple[Path, str], bool] = {}
        self._defined: dict[Path, dict[bytes, bytes]] = {}
        self._found = cache(self._file)
        self._names: dict[Path, tuple[str, Path]] = {}

    @cached_property
    def source_roots(self) -> tuple[Path, ...]:
        """The folders that absolute imports start from, besides the importing file's own."""
        return tuple(folder for folder in (self.root / "src", self.root) if folder.is_dir())

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """The files of the project; none at all where there are too many to look through."""
        found: list[Path] = []
        for file, _ in discover([self.root]):
            found.append(file)
            if len(found) > _CONTEXT_FILES:
                return ()
        return tuple(found)

    def add(self, source: Source) -> Module:
        """Take a source that is at hand as the module of its file, and return that module.

        A module that was read before with the same text stays, with all that is known of it.

        Raises:
            SourceError: it cannot be parsed.
        """
        known = self._modules.get(source.file)
        if known is not None and known.source.text == source.text:
            return known
        self._modules[source.file] = None
        source.tree  # noqa: B018  (parsing is what may fail)
        module = self._modules[source.file] = self._make(source)
        self._kept += len(source.text)
        return module

    def release(self) -> None:
        """Say that a file is done: once much text is kept, all modules and what is known of them are dropped."""
        if self._kept > _KEPT:
            self.project.forget()

    def clear(self) -> None:
        """Drop all modules. Nothing may refer to them any more; their cycles are cut so that they are freed at once."""
        for module in self._modules.values():
            if module is not None:
                module.cut()
        self._modules.clear()
        self._kept = 0

    def at(self, file: Path) -> Module | None:
        """Return the module of a file, None if it cannot be read or parsed."""
        if file in self._modules:
            return self._modules[file]
        try:
            return self.add(self._read(file))
        except SourceError:
            self._modules[file] = None
            return None

    def _make(self, source: Source) -> Module:
        name, _ = self._name(source.file)
        return Module(source, name, self.project, is_package=source.file.name == "__init__.py")

    def _name(self, file: Path) -> tuple[str, Path]:
        """Return the dotted name of a file and the folder that it is counted from."""
        known = self._names.get(file)
        if known is None:
            parts = [] if file.name == "__init__.py" else [file.stem]
            folder = file.parent
            while (folder / "__init__.py").is_file() and folder != folder.parent:
                parts.insert(0, folder.name)
                folder = folder.parent
            if folder == file.parent:
                for root in self.source_roots:
                    if root in folder.parents or root == folder:
                        parts = [*folder.relative_to(root).parts, *parts]
                        folder = root
                        break
            known = self._names[file] = (".".join(parts) or file.parent.name, folder)
        return known

    def find(self, dotted: str, importer: Module) -> Module | None:
        """Return the project's module of a dotted name, as `importer` would find it."""
        file = self.locate(dotted, importer)
        return None if file is None else self.at(file)

    def locate(self, dotted: str, importer: Module) -> Path | None:
        """Return the file of the project's module of a dotted name, as `importer` would find it."""
        file = importer.source.file
        key = (dotted, file)
        if key not in self._located:
            places = (self._found(dotted, folder) for folder in self._search_path(file))
            self._located[key] = next(
                (found for found in places if found is not None and found != file), None
            )
        return self._located[key]

    def _search_path(self, file: Path) -> tuple[Path, ...]:
        """Return the folders that the imports of a file are looked up in, in this order."""
        folders = (self._name(file)[1], file.parent, *self.source_roots)
        return tuple(dict.fromkeys(folders))

    def defined_as(self, dotted: str, importer: Module) -> bytes | None:
        """Return `def` or `class` if a module of the project has one of this dotted name at its top; nothing is parsed."""
        parts = dotted.split(".")
        for length in range(len(parts) - 1, 0, -1):
            file = self.locate(".".join(parts[:length]), importer)
            if file is not None:
                return self._top(file).get(parts[length].encode())
        return None

    def _top(self, file: Path) -> dict[bytes, bytes]:
        """Return for each name of a function or class that stands at the left margin of a file which of them it is."""
        known = self._defined.get(file)
        if known is None:
            try:
                known = {name: kind for kind, name in _TOP.findall(file.read_bytes())}
            except OSError:
                known = {}
            self._defined[file] = known
        return known

    def _file(self, dotted: str, folder: Path) -> Path | None:
        top = (folder, dotted.partition(".")[0])
        if top not in self._tops:
            first = folder / top[1]
            self._tops[top] = bool(top[1]) and (first.is_dir() or first.with_name(top[1] + ".py").is_file())
        if not self._tops[top]:
            return None
        place = folder.joinpath(*dotted.split("."))
        for candidate in (place.with_name(place.name + ".py"), place / "__init__.py"):
            if candidate.is_file():
                return candidate
        return None

    def mentions(self, *texts: bytes) -> bool:
        """Tell whether one of these searched texts occurs anywhere in the project, or whether that cannot be found out."""
        return not self.files or bool(self.holding(*texts))

    def holding(self, *texts: bytes) -> frozenset[Path]:
        """Return the files of the project in which one of these searched texts occurs."""
        return frozenset().union(*(self._scan.holding[text] for text in texts))

    @cached_property
    def _scan(self) -> _Scan:
        return _Scan(self.files)

    def named_in(self, module: Module, files: frozenset[Path]) -> bool:
        """Tell whether one of these files names a module, as one that imports it must."""
        own = module.source.file
        return any(file in files and file != own for file in self._scan.holders(_stem(own)))

    def defined_once(self, name: str) -> bool:
        """Tell whether just one `def` or `class` of the project has this name."""
        return self._scan.defined[name.encode()] == 1

    def mentioning(self, function: Function) -> list[Path]:
        """Return the files other than its own that may call a function: its name occurs there, and its module's or class's."""
        own = function.module.source.file
        name, homes = function.name, [_stem(own)]
        if function.cls is not None:
            homes.append(function.cls.name)
            name = function.cls.name if name == "__init__" else name
        return [file for file in self._scan.holders(name, *homes) if file != own]


def _stem(file: Path) -> str:
    """Return the last part of the name that a file is imported by."""
    return file.parent.name if file.stem == "__init__" else file.stem


# Texts that are looked for in all files of a project, in the one pass over their bytes.
SESSIONS = (b".Session(", b".InteractiveSession(", b"MonitoredTrainingSession(")
UNORDERED = (b"deterministic=False", b"deterministic = False")
DEBUG_MODE = (b"data.experimental.enable_debug_mode(",)

# Two patterns that start with a fixed text: one with alternatives takes five times as long.
_DEFINITIONS = tuple(re.compile(word + rb"[ \t]+([\w\x80-\xff]+)") for word in (b"def", b"class"))
_WORD_TABLE = bytes(b if chr(b).isalnum() or b == 95 or b > 127 else 32 for b in range(256))


class _Scan:
    """What one pass over the bytes of a project's files finds, without parsing any.

    `defined`: how many `def` and `class` have a name. `holding`: the files that hold each of the searched texts.
    """

    def __init__(self, files: tuple[Path, ...]) -> None:
        self._files = files
        # For each name of a function, class or file, the numbers of the files it occurs in.
        self._words: dict[bytes, list[int]] = {}
        self.defined: Counter[bytes] = Counter()
        self.holding: dict[bytes, set[Path]] = {text: set() for text in (*SESSIONS, *UNORDERED, *DEBUG_MODE)}
        found: list[tuple[int, bytes]] = []
        total = 0
        for number, file in enumerate(files):
            try:
                data = file.read_bytes()
            except OSError:
                continue
            total += len(data)
            if total > _CONTEXT_BYTES:
                break
            self._look_through(file, data)
            found.append((number, data))
        names = frozenset(self.defined)
        for number, data in found:
            for word in names.intersection(data.translate(_WORD_TABLE).split()):
                self._words.setdefault(word, []).append(number)

    def holders(self, name: str, *beside: str) -> list[Path]:
        """Return the files that hold a name of a function, class or file, and one of the names `beside` it if there are any."""
        numbers = self._words.get(name.encode(), [])
        if beside:
            allowed = {number for other in beside for number in self._words.get(other.encode(), ())}
            numbers = [number for number in numbers if number in allowed]
        return [self._files[number] for number in numbers]

    def _look_through(self, file: Path, data: bytes) -> None:
        for text, files in self.holding.items():
            if text in data:
                files.add(file)
        self.defined[file.stem.encode()] += 0
        for pattern in _DEFINITIONS:
            self.defined.update(pattern.findall(data))
