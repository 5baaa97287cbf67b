"""Reading requirements out of the files that projects keep them in. Nothing of a project is ever run."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_LARGEST = 2_000_000
_REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?\s*((?:[<>=!~]=?=?\s*[\w.*+!-]+\s*,?\s*)*)\)?\s*(?:;.*)?$")
_IMAGE = re.compile(r"^\s*FROM\s+\S*?(tensorflow/tensorflow|pytorch/pytorch):(\d+\.\d+(?:\.\d+)?)", re.IGNORECASE)


class Requirement(NamedTuple):
    """One requirement: a distribution's normalised name, its specifier, and where it stands. Lower ranks count more."""

    name: str
    specifier: str
    path: str
    line: int | None
    rank: int = 0


def metadata_files(folder: Path) -> Iterator[tuple[Path, int]]:
    """Yield the files of a folder that may hold requirements, with their rank: lock files, requirements, metadata."""
    for name in ("poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock"):
        if (folder / name).is_file():
            yield folder / name, 0
    found = sorted(folder.glob("requirements*.txt")) + sorted(folder.glob("requirements/*.txt"))
    for file in found:
        yield file, 1
    for name in ("pyproject.toml", "setup.cfg", "setup.py", "Pipfile", "environment.yml", "environment.yaml", "conda.yaml"):
        if (folder / name).is_file():
            yield folder / name, 2
    if (folder / "Dockerfile").is_file():
        yield folder / "Dockerfile", 3


def read_requirements(file: Path, root: Path, rank: int, depth: int = 0) -> list[Requirement]:
    """Return the requirements in a file; none if it is broken, too large or outside `root`."""
    try:
        real = file.resolve()
        if root.resolve() not in real.parents or real.stat().st_size > _LARGEST or depth > 4:
            return []
        text = real.read_text(encoding="utf-8-sig", errors="replace")
        shown = real.relative_to(root.resolve()).as_posix()
        found = list(_reader(file)(text, file, root, depth))
    except (OSError, ValueError, SyntaxError, RecursionError, TypeError, AttributeError):
        return []
    return [Requirement(_normal(name), spec.replace(" ", ""), shown, line, rank) for name, spec, line in found]


_Found = Iterator[tuple[str, str, int | None]]


def _reader(file: Path) -> Any:
    readers = {
        "pyproject.toml": _pyproject,
        "setup.cfg": _setup_cfg,
        "setup.py": _setup_py,
        "Pipfile": _pipfile,
        "Pipfile.lock": _pipfile_lock,
        "Dockerfile": _dockerfile,
    }
    if file.name in readers:
        return readers[file.name]
    if file.suffix == ".lock":
        return _lock
    return _environment if file.suffix in (".yml", ".yaml") else _requirements


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _parse(text: str) -> tuple[str, str] | None:
    match = _REQUIREMENT.match(text.split(" #")[0])
    return (match.group(1), match.group(2).strip().rstrip(",")) if match else None


def _line_of(text: str, word: str) -> int | None:
    place = text.find(word)
    return text.count("\n", 0, place) + 1 if place >= 0 else None


def _requirements(text: str, file: Path, root: Path, depth: int) -> _Found:
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if stripped.startswith(("-r ", "--requirement ", "-c ")):
            other = file.parent / stripped.split(None, 1)[1]
            for found in read_requirements(other, root, 1, depth + 1):
                yield found.name, found.specifier, number
            continue
        parsed = _parse(stripped.split("#")[0].rstrip("\\ "))
        if parsed is not None:
            yield (*parsed, number)


def _pyproject(text: str, *_: object) -> _Found:
    data = tomllib.loads(text)
    project = data.get("project", {})
    lines = list(project.get("dependencies", []))
    for extra in project.get("optional-dependencies", {}).values():
        lines.extend(extra)
    for line in lines:
        parsed = _parse(str(line))
        if parsed is not None:
            yield (*parsed, _line_of(text, str(line)))
    poetry = data.get("tool", {}).get("poetry", {})
    tables = [poetry.get("dependencies", {}), poetry.get("dev-dependencies", {})]
    tables += [group.get("dependencies", {}) for group in poetry.get("group", {}).values()]
    for table in tables:
        for name, given in table.items():
            yield name, _poetry(given), _line_of(text, f"{name} =")


def _poetry(given: Any) -> str:
    word = given.get("version", "") if isinstance(given, dict) else given
    if not isinstance(word, str) or word in ("", "*"):
        return ""
    return ",".join(_caret(part.strip()) for part in word.split(","))


def _caret(word: str) -> str:
    if word[:1] not in "^~" or word.startswith("~="):
        return word if word[:1] in "<>=!~" else f"=={word}"
    numbers = [int(part) for part in re.findall(r"\d+", word)]
    keep = next((i for i, number in enumerate(numbers) if number), len(numbers) - 1) if word[0] == "^" else min(1, len(numbers) - 1)
    limit = [*numbers[:keep], numbers[keep] + 1]
    return f">={'.'.join(map(str, numbers))},<{'.'.join(map(str, limit))}"


def _setup_cfg(text: str, *_: object) -> _Found:
    for number, line in enumerate(text.split("\n"), 1):
        parsed = _parse(line.partition("=")[2] if line.startswith("install_requires") else line)
        if parsed is not None and parsed[1]:
            yield (*parsed, number)


def _setup_py(text: str, *_: object) -> _Found:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
            parsed = _parse(node.value)
            if parsed is not None and parsed[1]:
                yield (*parsed, node.lineno)


def _pipfile(text: str, *_: object) -> _Found:
    data = tomllib.loads(text)
    for section in ("packages", "dev-packages"):
        for name, given in data.get(section, {}).items():
            yield name, _poetry(given), _line_of(text, name)


def _pipfile_lock(text: str, *_: object) -> _Found:
    import json

    data = json.loads(text)
    for section in ("default", "develop"):
        for name, given in data.get(section, {}).items():
            yield name, str(given.get("version", "")), _line_of(text, f'"{name}"')


def _lock(text: str, *_: object) -> _Found:
    for package in tomllib.loads(text).get("package", []):
        name, version = str(package.get("name", "")), str(package.get("version", ""))
        yield name, f"=={version}" if version else "", _line_of(text, f'name = "{name}"')


def _environment(text: str, *_: object) -> _Found:
    for number, line in enumerate(text.split("\n"), 1):
        item = line.strip()
        if not item.startswith("- "):
            continue
        item = item[2:].split("#")[0].strip().strip("\"'").rpartition("::")[2]
        conda = re.match(r"^([\w.-]+)=(\d[\w.*]*)(?:=.*)?$", item)
        if conda:
            yield conda.group(1), f"=={conda.group(2)}", number
            continue
        parsed = _parse(item)
        if parsed is not None:
            yield (*parsed, number)


def _dockerfile(text: str, *_: object) -> _Found:
    for number, line in enumerate(text.split("\n"), 1):
        match = _IMAGE.match(line)
        if match:
            yield match.group(1).partition("/")[0].lower(), f"=={match.group(2)}", number
