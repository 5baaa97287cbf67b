"""Which files a run looks at, and which project they belong to."""

# The functions of os.path say "no" where those of pathlib raise.
# ruff: noqa: PTH110, PTH112, PTH113, PTH118, PTH120

from __future__ import annotations

import heapq
import os
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from deepperf.source.ignoring import Excluded, Ignored, folder_name, ignore_file, is_ignored

SUFFIXES = (".py", ".ipynb")
# Folders without code of the project itself: history, caches, environments, build results, vendored copies.
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
    "node_modules",
    "site-packages",
    "third_party",
    "thirdparty",
    "vendor",
    "vendored",
    "venv",
)
_ENVIRONMENT = {"pyvenv.cfg", "conda-meta"}
_VERSION_CONTROL = (".git", ".hg")
_METADATA = ("pyproject.toml", "setup.py", "setup.cfg")
_CONFIGURED = re.compile(rb"^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*deepperf[ \t]*[\].]", re.MULTILINE)


class Found(NamedTuple):
    """A file as it was reached, and the one name it has whatever links led to it."""

    file: Path
    real: str


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
    root: Path | None = None,
) -> Iterator[Found]:
    """Yield the Python files and notebooks below `paths`, sorted, each once.

    A file given by name is always yielded; of a folder given by name only what is below it can be left out.
    `exclude` are patterns as in a `.gitignore`; those with a slash are relative to `root`, else to the given
    folder. Links to folders are not followed.

    Raises:
        MissingPath: one of the paths does not exist.
    """
    for path in paths:
        if not os.path.lexists(path):
            raise MissingPath(path)
    walks = [_Walk(path, exclude, respect_gitignore, root).files() for path in paths]
    seen: set[str] = set()
    # Making the keys of a merge costs more than a walk: most runs have one.
    merged = walks[0] if len(walks) == 1 else heapq.merge(*walks, key=lambda found: found.file.parts)
    for found in merged:
        if found.real not in seen:
            seen.add(found.real)
            yield found


def is_excluded(path: Path, base: Path, exclude: Sequence[str], respect_gitignore: bool = True) -> bool:
    """Tell whether a walk from the folder `base` would leave a path out; one from its project's if it is not below it."""
    real, base = Path(os.path.realpath(path)), Path(os.path.realpath(base))
    if base not in real.parents:
        base = project_root(real)
    excluded = Excluded(exclude, base)
    ignored = [found] if respect_gitignore and (found := ignore_file(base)) is not None else []
    folder = base
    for part in real.relative_to(base).parts:
        folder = folder / part
        name = folder_name(folder) if folder.is_dir() else folder.as_posix()
        if excluded.holds(name, part) or is_ignored(name, ignored):
            return True
        if respect_gitignore and (found := ignore_file(folder)) is not None:
            ignored.append(found)
    return False


class _Walk:
    """One walk from a path that was given."""

    def __init__(self, top: Path, exclude: Sequence[str], respect_gitignore: bool, root: Path | None) -> None:
        self._top = top
        self._excluded = Excluded(exclude, Path(os.path.realpath(root or top)))
        self._respect_gitignore = respect_gitignore

    def files(self) -> Iterator[Found]:
        if not os.path.isdir(self._top):
            yield Found(self._top, _real(self._top))
            return
        real = Path(os.path.realpath(self._top))
        yield from self._below(self._top, folder_name(real), self._inherited(real))

    def _inherited(self, top: Path) -> list[Ignored]:
        """Return the ignore files above the top that hold for it, up to the root of the version control."""
        root = next((folder for folder in (top, *top.parents) if _is_versioned(str(folder))), None)
        if root is None or root == top or not self._respect_gitignore:
            return []
        above = [folder for folder in top.parents if folder == root or root in folder.parents]
        found = [ignored for folder in reversed(above) if (ignored := ignore_file(folder)) is not None]
        return [] if is_ignored(folder_name(top), found) else found

    def _below(self, folder: Path, name: str, ignored: list[Ignored]) -> Iterator[Found]:
        """Yield the files below a folder, whose real path is `name`, with a slash at the end."""
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError:
            return
        if folder != self._top and any(entry.name in _ENVIRONMENT for entry in entries):
            return
        own = ignore_file(folder) if self._respect_gitignore else None
        if own is not None:
            ignored = [*ignored, own._replace(base=name)]
        for entry in entries:
            yield from self._entry(entry, folder, name, ignored)

    def _entry(
        self, entry: os.DirEntry[str], folder: Path, name: str, ignored: list[Ignored]
    ) -> Iterator[Found]:
        is_folder = _is_folder(entry)
        if not is_folder and not (entry.name.endswith(SUFFIXES) and _is_file(entry)):
            return
        path = name + entry.name + ("/" if is_folder else "")
        if self._excluded.holds(path, entry.name) or is_ignored(path, ignored):
            return
        if is_folder:
            yield from self._below(folder / entry.name, path, ignored)
        else:
            file = folder / entry.name
            yield Found(file, _real(file) if entry.is_symlink() else path)


def _real(file: Path) -> str:
    return Path(os.path.realpath(file)).as_posix()


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a file, or a link to one that is gone; pipes and devices are none."""
    try:
        return entry.is_file() or (entry.is_symlink() and not os.path.exists(entry.path))
    except OSError:  # A link that leads to itself: reading it tells the user.
        return True


def project_root(path: Path, otherwise: Path | None = None) -> Path:
    """Return the folder of the project that a file or folder belongs to.

    That is the nearest folder with a deepperf configuration; else the root of the version control; else the
    nearest folder with packaging metadata; else `otherwise`, or the folder itself.
    """
    return Roots(otherwise).of(path)


class Roots:
    """Finds the projects that files belong to, as `project_root` does; each folder is looked at once."""

    def __init__(self, otherwise: Path | None = None) -> None:
        self._otherwise = otherwise
        self._nearest = cache(self._nearest_of_each_kind)

    def of(self, path: Path) -> Path:
        """Return the folder of the project that a file or folder belongs to."""
        start = Path(os.path.realpath(path))
        folder = start if os.path.isdir(start) else start.parent
        found = next((nearest for nearest in self._nearest(str(folder)) if nearest is not None), None)
        return Path(found) if found is not None else self._otherwise or folder

    def _nearest_of_each_kind(self, folder: str) -> tuple[str | None, ...]:
        """Return the nearest folder, from this one up, that each kind of sign makes a root."""
        kinds = (_is_configured(folder), _is_versioned(folder), _is_packaged(folder))
        above = os.path.dirname(folder)
        inherited = self._nearest(above) if above != folder else (None,) * len(kinds)
        return tuple(folder if own else other for own, other in zip(kinds, inherited, strict=True))


def _is_versioned(folder: str) -> bool:
    return any(os.path.exists(os.path.join(folder, name)) for name in _VERSION_CONTROL)


def _is_packaged(folder: str) -> bool:
    return any(os.path.isfile(os.path.join(folder, name)) for name in _METADATA)


def _is_configured(folder: str) -> bool:
    if os.path.isfile(os.path.join(folder, "deepperf.toml")):
        return True
    try:
        return _CONFIGURED.search(Path(folder, "pyproject.toml").read_bytes()) is not None
    except OSError:
        return False
