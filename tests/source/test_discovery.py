"""Which files are looked at."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from deepperf.source import DEFAULT_EXCLUDE, MissingPath, discover, project_root


def tree(folder: Path, *names: str, **texts: str) -> None:
    """Make empty files, and `.gitignore` files with the texts given by folder."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    for name, text in texts.items():
        (folder / name.strip("_") / ".gitignore").write_text(text)


def found(
    folder: Path, *paths: str, exclude: Sequence[str] = DEFAULT_EXCLUDE, **options: bool | Path
) -> list[str]:
    """Return the files found below a folder, or below paths in it."""
    given = [folder / path for path in paths] or [folder]
    files = discover(given, exclude=exclude, **options)  # type: ignore[arg-type]
    return [file.relative_to(folder).as_posix() for file, _ in files]


def test_python_files_and_notebooks_in_order(tmp_path: Path) -> None:
    tree(
        tmp_path,
        "b.py",
        "a/z.py",
        "a/b.ipynb",
        "a-b.py",
        "a.py",
        "c.pyi",
        "d.txt",
        "e.pyw",
        "py",
        "x.py/y.py",
    )
    assert found(tmp_path) == ["a/b.ipynb", "a/z.py", "a-b.py", "a.py", "b.py", "x.py/y.py"]
    assert found(tmp_path, "b.py", "a", "a/z.py", ".", "a.py") == found(tmp_path)


def test_folders_that_are_not_the_projects_own_are_left_out(tmp_path: Path) -> None:
    left_out = (
        *(".git", ".ipynb_checkpoints", ".tox", ".eggs", ".venv", "venv", "__pycache__", "build/lib", "dist"),
        *("node_modules/x", "pkg/_vendor", "third_party", "lib/site-packages", "own_env", "conda"),
    )
    tree(
        tmp_path, *(f"{folder}/a.py" for folder in left_out), "own_env/pyvenv.cfg", "conda/conda-meta/x.json"
    )
    tree(tmp_path, "pkg/a.py", "env/a.py", "builder/a.py")
    assert found(tmp_path) == ["builder/a.py", "env/a.py", "pkg/a.py"]
    assert found(tmp_path, exclude=("pkg",), respect_gitignore=False)[:2] == [".eggs/a.py", ".git/a.py"]


def test_what_is_named_is_looked_at(tmp_path: Path) -> None:
    tree(
        tmp_path,
        ".git/HEAD",
        "build/a.py",
        "build/build/b.py",
        "build/script",
        "own/pyvenv.cfg",
        "own/a.py",
        _="build\n",
    )
    assert found(tmp_path) == []
    assert found(tmp_path, "build") == ["build/a.py"]
    assert found(tmp_path, "build/build/b.py", "build/script") == ["build/build/b.py", "build/script"]
    assert found(tmp_path, "own") == ["own/a.py"]


def test_a_path_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(MissingPath) as caught:
        found(tmp_path, ".", "gone.py")
    assert caught.value.path == tmp_path / "gone.py"
    assert str(caught.value) == f"{tmp_path / 'gone.py'}: no such file or folder"


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("tests", ["a_test.py", "src/a.py", "src/deep/b.py"]),
        ("tests/", ["a_test.py", "src/a.py", "src/deep/b.py"]),
        ("src/deep", ["a_test.py", "src/a.py", "tests/a.py"]),
        ("deep/b.py", ["a_test.py", "src/a.py", "src/deep/b.py", "tests/a.py"]),
        ("*_test.py", ["src/a.py", "src/deep/b.py", "tests/a.py"]),
        ("**/deep/**", ["a_test.py", "src/a.py", "tests/a.py"]),
        ("a.py", ["a_test.py", "src/deep/b.py"]),
        ("/src/*.py", ["a_test.py", "src/deep/b.py", "tests/a.py"]),
    ],
)
def test_patterns_of_the_configuration(pattern: str, left: list[str], tmp_path: Path) -> None:
    tree(tmp_path, "a_test.py", "src/a.py", "src/deep/b.py", "tests/a.py")
    assert found(tmp_path, exclude=[pattern]) == left


def test_patterns_with_a_slash_are_relative_to_the_root(tmp_path: Path) -> None:
    tree(tmp_path, "src/deep/a.py", "src/b.py")
    assert found(tmp_path, "src", exclude=["src/deep"], root=tmp_path) == ["src/b.py"]
    assert found(tmp_path, "src", exclude=["src/deep"]) == ["src/b.py", "src/deep/a.py"]


def test_ignore_files(tmp_path: Path) -> None:
    tree(
        tmp_path,
        *("a.py", "gen.py", "sub/gen.py", "sub/keep/gen.py", "out/a.py", "data/x.py", "data/code/y.py"),
        *("sub/only/z.py", "w.py", "sub/w.py"),
        _="gen.py\n/out/\n/data/*\n!/data/code\n# w.py\n\n*.ipynb",
        sub="!keep/gen.py\nonly\n/w.py\n",
    )
    assert found(tmp_path) == ["a.py", "data/code/y.py", "sub/keep/gen.py", "w.py"]
    assert len(found(tmp_path, respect_gitignore=False)) == 10


def test_ignore_files_above_count_up_to_the_root_of_the_version_control(tmp_path: Path) -> None:
    tree(tmp_path, "repo/.git/HEAD", "repo/a/b/gen.py", "repo/a/b/c.py", "repo/a/b/d.py")
    (tmp_path / ".gitignore").write_text("c.py\n")
    (tmp_path / "repo/.gitignore").write_text("gen.py\n")
    (tmp_path / "repo/a/.gitignore").write_text("b/d.py\n")
    assert found(tmp_path, "repo/a/b") == ["repo/a/b/c.py"]
    (tmp_path / "repo/.git/HEAD").unlink()
    (tmp_path / "repo/.git").rmdir()
    assert len(found(tmp_path, "repo/a/b")) == 3


def test_patterns_without_sense_do_not_spoil_the_others(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "b.py", _="a.py\n!\n[\n")
    assert found(tmp_path) == ["b.py"]
    (tmp_path / ".gitignore").write_bytes(b"\xff\xfe\na.py\n")
    assert found(tmp_path) == ["b.py"]


def test_links(tmp_path: Path) -> None:
    tree(tmp_path, "pkg/a.py", "elsewhere.txt")
    (tmp_path / "pkg/loop").symlink_to(tmp_path / "pkg")
    (tmp_path / "pkg/up").symlink_to("..")
    (tmp_path / "pkg/self.py").symlink_to("self.py")
    (tmp_path / "pkg/gone.py").symlink_to("nowhere")
    (tmp_path / "pkg/same.py").symlink_to("a.py")
    (tmp_path / "pkg/script.py").symlink_to(tmp_path / "elsewhere.txt")
    assert found(tmp_path) == ["pkg/a.py", "pkg/gone.py", "pkg/script.py", "pkg/self.py"]
    assert found(tmp_path, "pkg/up")[:1] == ["pkg/up/pkg/a.py"]


def test_what_never_ends_or_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, "a.py", "closed/b.py")
    os.mkfifo(tmp_path / "pipe.py")
    scan = os.scandir

    def refuse(folder: Path) -> object:
        if Path(folder).name == "closed":
            raise PermissionError(13, "no")
        return scan(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    assert found(tmp_path) == ["a.py"]


@pytest.mark.parametrize(
    ("names", "root"),
    [
        (("deepperf.toml", "pkg/.git/HEAD", "pkg/setup.py"), "."),
        (("pkg/.git/HEAD", "pkg/sub/setup.py"), "pkg"),
        ((".hg/x", "pkg/pyproject.toml"), "."),
        (("setup.cfg", "pkg/pyproject.toml"), "pkg"),
        (("setup.py",), "."),
        (("pkg/sub/deepperf.toml", "deepperf.toml"), "pkg/sub"),
    ],
)
def test_the_root_of_the_project(names: tuple[str, ...], root: str, tmp_path: Path) -> None:
    tree(tmp_path, *names, "pkg/sub/a.py")
    for start in ("pkg/sub/a.py", "pkg/sub"):
        assert project_root(tmp_path / start) == (tmp_path / root).resolve()


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("[tool.deepperf]\n", True),
        ("[tool.deepperf.rules]\n", True),
        ("x = 1\n[ tool . deepperf ]\n", True),
        ("# [tool.deepperf]\n", False),
        ("[tool.deepperfect]\n", False),
    ],
)
def test_a_table_in_pyproject_makes_a_root(text: str, counts: bool, tmp_path: Path) -> None:
    tree(tmp_path, "pkg/pyproject.toml", "pkg/sub/setup.py", "pkg/sub/a.py")
    (tmp_path / "pkg/pyproject.toml").write_text(text)
    assert project_root(tmp_path / "pkg/sub/a.py") == tmp_path / ("pkg" if counts else "pkg/sub")


def test_a_file_on_its_own_has_its_folder_as_root(tmp_path: Path) -> None:
    tree(tmp_path, "pkg/a.py")
    root = project_root(tmp_path / "pkg/a.py")
    # The folders above the temporary one are not ours: whatever is there, it is the folder or one of them.
    assert root == tmp_path / "pkg" or root in tmp_path.parents
