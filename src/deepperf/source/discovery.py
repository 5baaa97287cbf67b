"""Which files a run looks at."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import PathSpec

SUFFIXES = (".py", ".ipynb")
# Folders that hold no code of the project itself: history, caches, environments, build results, vendored copies.
DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    "__pycache__",
    "__pypackages__",
    "_vendor",
    "bower_components",
    "build",
    "dist",
    "env",
    "node_modules",
    "site-packages",
    "third_party",
    "thirdparty",
    "vendor",
    "vendored",
    "venv",
)
_VERSION_CONTROL = (".git", ".hg")


class MissingPath(Exception):
    """A path that was asked for does not exist."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path}: no such file or folder")
        self.path = path


def discover(
    paths: Sequence[Path],
    *,
    exclude: Sequence[str] = DEFAULT_EXCLUDE,
    respect_gitignore: bool = True,
) -> Iterator[Path]:
    """Yield the Python files and notebooks below `paths`, sorted, each once.

    A file given by name is always yielded. `exclude` are names or patterns of files and folders, matched against the
    name and against the path below the given folder.

    Raises:
        MissingPath: one of the paths does not exist.
    """
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise MissingPath(path)
        walk = _Walk(exclude, respect_gitignore)
        for file in [path] if path.is_file() else walk.below(path):
            real = file.resolve()
            if real not in seen:
                seen.add(real)
                yield file


class _Walk:
    """One walk through a folder."""

    def __init__(self, exclude: Sequence[str], respect_gitignore: bool) -> None:
        self.exclude = exclude
        self.respect_gitignore = respect_gitignore
        self._visited: set[tuple[int, int]] = set()

    def below(self, top: Path) -> Iterator[Path]:
        ignored = self._inherited(top) if self.respect_gitignore else []
        yield from self._folder(top, top, ignored)

    def _inherited(self, top: Path) -> list[tuple[Path, PathSpec]]:
        """Return the ignore files of the folders above, up to the root of the version control."""
        found: list[tuple[Path, PathSpec]] = []
        folder = top.resolve()
        if any((folder / name).exists() for name in _VERSION_CONTROL):
            return []
        for parent in folder.parents:
            spec = _ignore_file(parent)
            if spec is not None:
                found.insert(0, (parent, spec))
            if any((parent / name).exists() for name in _VERSION_CONTROL):
                return found
        return []

    def _folder(self, folder: Path, top: Path, ignored: list[tuple[Path, PathSpec]]) -> Iterator[Path]:
        try:
            status = folder.stat()
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            return
        if (status.st_dev, status.st_ino) in self._visited:
            return
        self._visited.add((status.st_dev, status.st_ino))
        if self.respect_gitignore:
            spec = _ignore_file(folder)
            if spec is not None:
                ignored = [*ignored, (folder.resolve(), spec)]
        for entry in entries:
            yield from self._entry(entry, folder, top, ignored)

    def _entry(
        self, entry: os.DirEntry[str], folder: Path, top: Path, ignored: list[tuple[Path, PathSpec]]
    ) -> Iterator[Path]:
        path = folder / entry.name
        try:
            is_folder = entry.is_dir()
        except OSError:
            return
        if not is_folder and not entry.name.endswith(SUFFIXES):
            return
        if self._is_excluded(path, top) or _is_ignored(path, is_folder, ignored):
            return
        if not is_folder:
            yield path
        elif not (path / "pyvenv.cfg").is_file():
            yield from self._folder(path, top, ignored)

    def _is_excluded(self, path: Path, top: Path) -> bool:
        below = path.relative_to(top).as_posix()
        return any(
            path.name == pattern or fnmatch(path.name, pattern) or fnmatch(below, pattern.rstrip("/"))
            for pattern in self.exclude
        )


def _ignore_file(folder: Path) -> PathSpec | None:
    try:
        lines = (folder / ".gitignore").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    from pathspec import PathSpec

    try:
        return PathSpec.from_lines("gitwildmatch", lines)
    except ValueError:
        return None


def _is_ignored(path: Path, is_folder: bool, ignored: list[tuple[Path, PathSpec]]) -> bool:
    decided = False
    for base, spec in ignored:
        try:
            below = path.absolute().relative_to(base).as_posix()
        except ValueError:
            continue
        result = spec.check_file(below + "/" if is_folder else below).include
        if result is not None:
            decided = result
    return decided


def project_root(path: Path) -> Path:
    """Return the folder of the project that a file or folder belongs to.

    That is the nearest folder with a deepperf configuration; else the root of the version control; else the nearest
    folder with packaging metadata; else the folder itself.
    """
    start = path if path.is_dir() else path.parent
    folders = [start.resolve(), *start.resolve().parents]
    for folder in folders:
        if (folder / "deepperf.toml").is_file() or _is_configured(folder / "pyproject.toml"):
            return folder
    for folder in folders:
        if any((folder / name).exists() for name in _VERSION_CONTROL):
            return folder
    for folder in folders:
        if any((folder / name).is_file() for name in ("pyproject.toml", "setup.py", "setup.cfg")):
            return folder
    return folders[0]


def _is_configured(file: Path) -> bool:
    try:
        return b"[tool.deepperf" in file.read_bytes()
    except OSError:
        return False
