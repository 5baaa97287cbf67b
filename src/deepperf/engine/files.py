"""The files of a run: where they are, how reports name them, which project they belong to."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from deepperf.config import Settings
from deepperf.source import MissingPath, Roots, discover, is_excluded, project_root

STDIN = "-"


class StandardInput(NamedTuple):
    """What came on standard input, and the file it stands for (None if it is no file)."""

    data: bytes
    filename: str | None = None


class Input(NamedTuple):
    """A file to check. `path` is its name in reports; `data` is its content if it has none on disk."""

    file: Path
    path: str
    root: Path
    data: bytes | None = None


def display(file: Path, cwd: Path) -> str:
    """Return how reports name a file: relative to the working directory, with forward slashes."""
    name, base = file.as_posix(), cwd.as_posix() + "/"
    if name.startswith(base) and "/.." not in name:
        return name[len(base) :]
    try:
        return Path(os.path.relpath(file, cwd)).as_posix()
    except ValueError:  # On Windows, another drive.
        return file.as_posix()


def find_inputs(
    paths: Sequence[str], cwd: Path, settings: Settings, stdin: StandardInput | None = None
) -> Iterator[Input]:
    """Yield the files that `paths` stand for, each once; `-` is standard input.

    Raises:
        MissingPath: one of the paths does not exist.
    """
    seen: set[str] = set()
    for path in paths:
        if path == STDIN and stdin is not None:
            yield _standard_input(stdin, cwd)
            continue
        given = Path(os.path.abspath(cwd / path))  # noqa: PTH100  (links stay as the user spelled them)
        if not given.exists():
            raise MissingPath(Path(path))
        top = given.resolve() if given.is_dir() else given.parent.resolve() / given.name
        folder = top if top.is_dir() else top.parent
        # A folder may hold several projects: a file is judged as part of its own, whatever path was given.
        root_of = cache(Roots(otherwise=folder).of)
        if settings.force_exclude and is_excluded(top, cwd, settings.exclude, settings.respect_gitignore):
            continue
        for file, real in discover(
            [top], exclude=settings.exclude, respect_gitignore=settings.respect_gitignore
        ):
            if real not in seen:
                seen.add(real)
                named = file if given == top else given / file.relative_to(top)
                yield Input(file, display(named, cwd), root_of(file.parent))


def _standard_input(stdin: StandardInput, cwd: Path) -> Input:
    if stdin.filename is None:
        file = cwd.resolve() / "<stdin>"
        return Input(file, STDIN, project_root(cwd), stdin.data)
    given = cwd / stdin.filename
    file = given.parent.resolve() / given.name
    nearest = next(folder for folder in file.parents if folder.is_dir())
    return Input(file, display(given, cwd), project_root(nearest), stdin.data)
