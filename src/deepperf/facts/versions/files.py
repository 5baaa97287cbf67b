"""The files in which projects state what they require."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from deepperf.facts.versions import formats
from deepperf.model import Target

_LARGEST = 2_000_000  # bytes
_MOST = 1_000  # statements of one file
_Reader = Callable[[str], Iterator[formats.Stated]]

# The files of a folder by name, in groups: what the first group says counts most.
_GROUPS: tuple[tuple[tuple[str, _Reader], ...], ...] = (
    ((r"(poetry|uv|pdm)\.lock", formats.lock), (r"Pipfile\.lock", formats.pipfile_lock)),
    ((r"requirements.*\.txt", formats.requirements),),
    (
        (r"pyproject\.toml", formats.pyproject),
        (r"setup\.cfg", formats.setup_cfg),
        (r"setup\.py", formats.setup_py),
        (r"Pipfile", formats.pipfile),
        (r"(environment|env|conda).*\.ya?ml", formats.conda),
    ),
    ((r"Dockerfile.*|.*\.Dockerfile", formats.dockerfile),),
)
_NAMES = re.compile("|".join(pattern for group in _GROUPS for pattern, _ in group))


def stated_in(folder: Path, root: Path) -> list[list[Target]]:
    """Return what the files of a folder say of framework versions, in groups: the first counts most.

    Each target's version is a specifier. Files that are broken, larger than 2 MB or outside `root` say
    nothing.
    """
    names = [name for name in _names(folder) if _NAMES.fullmatch(name)]
    groups = []
    for group in _GROUPS:
        found: list[Target] = []
        for pattern, reader in group:
            for name in names:
                if re.fullmatch(pattern, name):
                    found.extend(_stated(folder / name, reader, root))
        groups.append(found)
    for name in _names(folder / "requirements"):
        if name.endswith(".txt"):
            groups[1].extend(_stated(folder / "requirements" / name, formats.requirements, root))
    return groups


def _names(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in os.scandir(folder))
    except OSError:
        return []


def _stated(file: Path, reader: _Reader, root: Path) -> Iterator[Target]:
    """Yield what a file says, and what the requirement files say that it includes."""
    waiting, seen = [file], set()
    while waiting:
        real = _inside(waiting.pop(0), root)
        text = _text(real) if real is not None and real not in seen else None
        if real is None or text is None:
            continue
        seen.add(real)
        shown = real.relative_to(root).as_posix()
        try:
            yield from [Target(name, spec, shown, line) for name, spec, line in islice(reader(text), _MOST)]
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if reader is formats.requirements:
            waiting.extend(real.parent / name for name in formats.included(text))


def _inside(file: Path, root: Path) -> Path | None:
    """Return where a file really lies, None if that is not below `root`."""
    try:
        real = file.resolve()
    except (OSError, RuntimeError, ValueError):  # A loop of links; a name that cannot be one.
        return None
    return real if real.is_relative_to(root) else None


def _text(file: Path) -> str | None:
    try:
        if not file.is_file() or file.stat().st_size > _LARGEST:
            return None
        data = file.read_bytes()
    except (OSError, ValueError):
        return None
    # Redirected output of `pip freeze` is UTF-16 on Windows.
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    return data.decode(encoding, "replace").replace("\r\n", "\n")
