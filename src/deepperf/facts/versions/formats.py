"""What each kind of file says of framework versions."""

from __future__ import annotations

import ast
import json
import re
import sys
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

from deepperf.facts.versions.frameworks import framework_of, requirement

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_LOCKED = re.compile(r"^(?:\[\[package\]\]|(name|version) = \"([^\"]*)\")", re.MULTILINE)
_INCLUDE = re.compile(r"(?:-[rc]\s*|--(?:requirement|constraint)[\s=]+)(\S.*)")
_CONDA = re.compile(r"([\w.-]+)(?:=| +)(\d[\d.]*\d|\d)(?:\.?\*)?(?:=.*)?")
_KEY = re.compile(r"^(\w[\w.-]*)\s*=(?!=)")
_IMAGE = re.compile(
    r"FROM\s+(?:--\S+\s+)*(?:\S+/)?(tensorflow/tensorflow|pytorch/pytorch):(\d+\.\d+(?:\.\d+)?)",
    re.IGNORECASE,
)


class Stated(NamedTuple):
    """A specifier for a framework, and the line on which it stands if that is known."""

    framework: str
    specifier: str
    line: int | None


def lock(text: str) -> Iterator[Stated]:
    """Yield the packages of a lock file of Poetry, uv or PDM: tables `[[package]]` with name and version."""
    name, start = "", 0
    for match in _LOCKED.finditer(text):
        key, word = match.groups()
        if key is None:
            name = ""
        elif key == "name":
            name, start = word, match.start()
        elif framework := framework_of(name):
            yield Stated(framework, f"=={word}", _line_at(text, start))


def pipfile_lock(text: str) -> Iterator[Stated]:
    """Yield the packages of a lock file of Pipenv."""
    data = json.loads(text)
    for section in ("default", "develop"):
        yield from _named(text, _table(data, section))


def requirements(text: str) -> Iterator[Stated]:
    """Yield the requirements of a file for pip."""
    for number, line in _logical_lines(text):
        yield from _parsed(line.partition(" --")[0], number)


def included(text: str) -> Iterator[str]:
    """Yield the names of the files that a file for pip includes."""
    for _, line in _logical_lines(text):
        if match := _INCLUDE.fullmatch(line):
            yield match.group(1)


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield lines with their numbers, without comments; a backslash at the end joins a line with the next."""
    start, joined = 1, ""
    for number, line in enumerate(text.split("\n"), 1):
        joined += re.sub(r"(^|\s)#.*", "", line).rstrip()
        if joined.endswith("\\"):
            joined = joined[:-1]
            continue
        yield start, joined.strip()
        start, joined = number + 1, ""
    yield start, joined.strip()


def pyproject(text: str) -> Iterator[Stated]:
    """Yield the dependencies of a project: the standard ones and those of Poetry, with groups and extras."""
    data = tomllib.loads(text)
    project = _table(data, "project")
    lists = [project.get("dependencies")]
    lists += _table(project, "optional-dependencies").values()
    lists += _table(data, "dependency-groups").values()
    for lines in lists:
        for line in lines if isinstance(lines, list) else ():
            found = requirement(line) if isinstance(line, str) else None
            if found is not None:
                yield Stated(*found, _line_of(text, rf"[\"']{re.escape(line)}[\"']"))
    poetry = _table(data, "tool", "poetry")
    for owner in (poetry, *_table(poetry, "group").values()):
        yield from _named(text, _table(owner, "dependencies"))
    yield from _named(text, _table(poetry, "dev-dependencies"))


def pipfile(text: str) -> Iterator[Stated]:
    """Yield the packages of a file for Pipenv."""
    data = tomllib.loads(text)
    for section in ("packages", "dev-packages"):
        yield from _named(text, _table(data, section))


def _named(text: str, table: dict[str, Any]) -> Iterator[Stated]:
    """Yield the dependencies of a table whose keys are the names of distributions."""
    for name, given in table.items():
        framework = framework_of(name)
        if framework is not None:
            line = _line_of(text, rf"^[ \t]*[\"']?{re.escape(name)}[\"']?\s*[=:]")
            yield from (Stated(framework, specifier, line) for specifier in _poetry(given) if specifier)


def _poetry(given: Any) -> list[str]:
    """Return the specifiers that one dependency of Poetry or Pipenv stands for; it may have several."""
    if isinstance(given, list):
        return [specifier for one in given for specifier in _poetry(one)]
    if isinstance(given, dict):
        return _poetry(given.get("version"))
    if not isinstance(given, str):
        return []
    parts = [re.split(r",|\s(?=[<>=!~^])", word.strip()) for word in re.split(r"\|\|?", given)]
    return [",".join(map(_constraint, alternative)) for alternative in parts]


def _constraint(word: str) -> str:
    """Return a part of a Poetry constraint as a standard one: `^2.4` is `>=2.4,<3`."""
    word = word.strip()
    match = re.match(r"([\^~])\s*(\d+(?:\.\d+)*)", word)
    if match is None:
        return "" if word == "*" else f"=={word}" if word[:1].isdigit() else word
    numbers = [int(number) for number in match[2].split(".")]
    last = len(numbers) - 1
    kept = min(1, last) if match[1] == "~" else next((i for i, number in enumerate(numbers) if number), last)
    limit = ".".join(map(str, [*numbers[:kept], numbers[kept] + 1]))
    return f">={match[2]},<{limit}"


def setup_cfg(text: str) -> Iterator[Stated]:
    """Yield what the sections `options` and `options.extras_require` require."""
    section = key = ""
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("["):
            section = line.strip("[] \t")
        elif match := _KEY.match(line):
            key = match[1]
        if section == "options.extras_require" or (section, key) == ("options", "install_requires"):
            yield from _parsed(_KEY.sub("", line), number)


def setup_py(text: str) -> Iterator[Stated]:
    """Yield the strings of a setup script that are requirements; many stand far from the call of `setup`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _parsed(node.value, node.lineno)


def conda(text: str) -> Iterator[Stated]:
    """Yield the dependencies of a conda environment, those for pip among them."""
    for number, line in _logical_lines(text):
        if line.startswith("- "):
            item = line[2:].strip().strip("\"'").rpartition("::")[2]
            match = _CONDA.fullmatch(item)
            framework = framework_of(match[1]) if match else None
            if match and framework:
                yield Stated(framework, match[2], number)
            else:
                yield from _parsed(item, number)


def dockerfile(text: str) -> Iterator[Stated]:
    """Yield the versions of the official images that a container file builds on."""
    for number, line in enumerate(text.split("\n"), 1):
        if match := _IMAGE.match(line.strip()):
            framework = "tensorflow" if match[1].lower().startswith("tensorflow") else "torch"
            yield Stated(framework, match[2], number)


def _parsed(line: str, number: int | None) -> Iterator[Stated]:
    found = requirement(line)
    if found is not None:
        yield Stated(*found, number)


def _table(data: Any, *keys: str) -> dict[str, Any]:
    """Return a table inside tables, an empty one where there is something else."""
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


def _line_of(text: str, pattern: str) -> int | None:
    match = re.search(pattern, text, re.MULTILINE)
    return _line_at(text, match.start()) if match else None


def _line_at(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1
