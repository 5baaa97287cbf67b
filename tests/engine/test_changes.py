"""Only what changed since a revision."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from deepperf.engine.changes import Changes, ChangesError
from deepperf.engine.run import check
from tests.support import settings, write

HEAD = "import tensorflow as tf\n"


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    files = {"old.py": HEAD + "tf.abs(1)\n", "odd näme.py": HEAD + "tf.abs(1)\n\n\n\ntf.abs(2)\n"}
    write(tmp_path, files)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first")
    git(tmp_path, "checkout", "-q", "-b", "work")
    write(tmp_path, {"odd näme.py": HEAD + "tf.abs(1)\n\n\n\ntf.abs(3)\n", "new.py": HEAD + "tf.abs(1)\n"})
    return tmp_path


def found(folder: Path, *options: str, paths: tuple[str, ...] = (".",)) -> list[str]:
    report = check(paths, settings(folder, *options), folder)
    return [f"{finding.place.path}:{finding.place.span.line}" for finding in report.findings]


def test_files_that_did_not_change_are_left_out(repository: Path) -> None:
    assert found(repository) == ["new.py:2", "odd näme.py:2", "odd näme.py:6", "old.py:2"]
    assert found(repository, "--since", "main") == ["new.py:2", "odd näme.py:2", "odd näme.py:6"]


def test_lines_that_did_not_change_are_left_out(repository: Path) -> None:
    assert found(repository, "--since", "main", "--changed-lines") == ["new.py:2", "odd näme.py:6"]


def test_what_others_changed_after_the_branch_left_is_not_ours(repository: Path) -> None:
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "second")
    git(repository, "checkout", "-q", "main")
    write(repository, {"old.py": HEAD + "tf.abs(9)\n"})
    git(repository, "commit", "-q", "-a", "-m", "theirs")
    git(repository, "checkout", "-q", "work")
    assert found(repository, "--since", "main", "--changed-lines") == ["new.py:2", "odd näme.py:6"]


def test_from_a_folder_inside(repository: Path) -> None:
    write(repository, {"sub/a.py": HEAD + "tf.abs(1)\n"})
    report = check(["."], settings(repository, "--since", "main"), repository / "sub")
    assert [finding.place.path for finding in report.findings] == ["a.py"]


def test_mistakes_say_what_is_wrong(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(ChangesError, match="git knows no revision 'nothing'"):
        Changes("nothing", repository)
    with pytest.raises(ChangesError, match="'--output=x' is no revision"):
        Changes("--output=x", repository)
    with pytest.raises(ChangesError, match="not a git repository"):
        Changes("main", tmp_path_factory.mktemp("plain"))
