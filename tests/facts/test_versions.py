"""Framework versions: what each kind of file says and what counts more."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from packaging.version import Version

from deepperf.facts.versions import VersionRange, project_versions
from deepperf.model import Target

CURRENT = {"tensorflow": "2.21.0", "torch": "2.9.1", "keras": "3.12.0", "lightning": "2.5.0", "jax": "0.8.0"}
# From each file, the range that it speaks for and the line that says so.
FILES = [
    ("requirements.txt", "numpy\ntensorflow==2.4.1\n", "2.4.1", 2),
    ("requirements.txt", "tensorflow>=2.4\n", "2.4 to 2.21", 1),
    ("requirements.txt", "tensorflow>=2.4,<2.6  # not 2.6 yet\n", "2.4 to before 2.6", 1),
    ("requirements.txt", "tensorflow>=2.4,<3\n", "2.4 to 2.21", 1),
    ("requirements.txt", "tensorflow<=2.5\n", "up to 2.5", 1),
    ("requirements.txt", "tensorflow<1\n", "before 1", 1),
    ("requirements.txt", "tensorflow~=2.4.0\n", "2.4", 1),
    ("requirements.txt", "tensorflow==2.4.*\n", "2.4", 1),
    ("requirements.txt", "tensorflow (>=2.4, <2.6)\n", "2.4 to before 2.6", 1),
    (
        "requirements.txt",
        "# tensorflow==1.15\nTensorFlow_GPU[x] >= 1.14 ; python_version<3\n",
        "1.14 to 2.21",
        2,
    ),
    (
        "requirements.txt",
        "a==1 \\\n  --hash=sha256:b\ntf-nightly==2.5.0.dev20210101 --hash=sha256:c\n",
        "2.5",
        3,
    ),
    ("requirements.txt", "tensorflow>=2.4, \\\n  <2.6\n", "2.4 to before 2.6", 1),
    ("requirements.txt", "tensorflow>=2.30\n", "2.30", 1),
    ("requirements.txt", "tensorflow>2.21.0\n", "2.21 to before 2.21.1", 1),
    ("requirements.txt", "tensorflow==2.30.1\n", "2.30.1", 1),
    ("requirements.txt", "tensorflow==1.15\nintel-tensorflow==2.4\n", "1.15 to 2.4", 1),
    ("requirements-dev.txt", "tensorflow==2.4\n", "2.4", 1),
    ("requirements/base.txt", "tensorflow==2.4\n", "2.4", 1),
    ("poetry.lock", '[[package]]\ncategory = "main"\nname = "tensorflow"\nversion = "2.4.1"\n', "2.4.1", 3),
    ("uv.lock", 'version = 1\n[[package]]\nname = "tensorflow"\nversion = "2.15.0"\n', "2.15", 3),
    (
        "pdm.lock",
        '[[package]]\nname = "a"\nversion = "1"\n[[package]]\nname = "tensorflow"\nversion = "2.8"',
        "2.8",
        5,
    ),
    ("Pipfile.lock", '{"default": {\n "tensorflow": {"version": "==2.4.1"}}}', "2.4.1", 2),
    ("Pipfile", '[packages]\ntensorflow = "~=2.4"\n', "2.4 to 2.21", 2),
    ("pyproject.toml", '[project]\ndependencies = [\n  "a",\n  "tensorflow>=2.4",\n]\n', "2.4 to 2.21", 4),
    ("pyproject.toml", '[project.optional-dependencies]\ntf = ["tensorflow<2"]\n', "before 2", 2),
    ("pyproject.toml", "[dependency-groups]\ndev = [{include-group = 'a'}, 'tensorflow<2']\n", "before 2", 2),
    ("pyproject.toml", '[tool.poetry.dependencies]\ntensorflow = "^1.14"\n', "1.14 to before 2", 2),
    ("pyproject.toml", '[tool.poetry.dependencies]\n\ntensorflow = "~2.4"\n', "2.4", 3),
    ("pyproject.toml", '[tool.poetry.dependencies]\ntensorflow = "2.4.1"\n', "2.4.1", 2),
    ("pyproject.toml", '[tool.poetry.dependencies]\ntensorflow = ">=2.4 <2.6"\n', "2.4 to before 2.6", 2),
    ("pyproject.toml", '[tool.poetry.dependencies]\ntensorflow = "1.15 || ^2.4"\n', "1.15 to 2.21", 2),
    ("pyproject.toml", '[tool.poetry.group.x.dependencies]\ntensorflow = {version = "2.4.*"}\n', "2.4", 2),
    (
        "pyproject.toml",
        '[tool.poetry.dependencies]\ntensorflow = [{version = "2.4"}, {version = "2.8", python = "3.9"}]\n',
        "2.4 to 2.8",
        2,
    ),
    (
        "setup.cfg",
        "[options]\ninstall_requires =\n    numpy\n    tensorflow>=2.4\nname = a\n",
        "2.4 to 2.21",
        4,
    ),
    ("setup.cfg", "[options.extras_require]\ntf = tensorflow==2.4\n", "2.4", 2),
    (
        "setup.py",
        "NEEDED = ['numpy',\n  'tensorflow>=2.4']\nsetup(install_requires=NEEDED)\n",
        "2.4 to 2.21",
        2,
    ),
    ("environment.yml", "dependencies:\n  - tensorflow=2.4\n  - pip:\n    - keras==2.4\n", "2.4", 2),
    (
        "environment.yml",
        "dependencies:\n  - conda-forge::tensorflow=2.4.1=gpu_py38\n",
        "2.4.1",
        2,
    ),
    ("environment.yaml", 'dependencies:\n  - "tensorflow>=2.4"\n', "2.4 to 2.21", 2),
    ("environment.yml", "dependencies:\n  - pip:\n    - tensorflow==2.4\n", "2.4", 3),
    ("Dockerfile", "# base\nFROM tensorflow/tensorflow:1.15-gpu AS base\n", "1.15", 2),
    ("Dockerfile.gpu", "FROM --platform=linux/amd64 docker.io/tensorflow/tensorflow:2.4.1\n", "2.4.1", 1),
]


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def tensorflow(root: Path, file: str | None = None, code_evidence: str | None = None) -> VersionRange:
    versions = project_versions(root, current=CURRENT.__getitem__)
    path = root / file if file is not None else None
    return versions.range_of("tensorflow", file=path, code_evidence=code_evidence)


@pytest.mark.parametrize(("name", "text", "words", "line"), FILES)
def test_a_file_says_a_range(tmp_path: Path, name: str, text: str, words: str, line: int) -> None:
    write(tmp_path, {name: text})
    assert tensorflow(tmp_path).target() == Target("tensorflow", words, name, line)
    assert not tensorflow(tmp_path).assumed


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("requirements.txt", "tensorflow\ntensorflow-datasets==4.0\nmy-tensorflow==1.0\n"),
        ("requirements.txt", "tensorflow @ https://example.org/tensorflow.whl\n-e .\n--pre\n"),
        ("requirements.txt", "tensorflow==2.x\ntensorflow>=\ntensorflow>3,<2\n"),
        ("requirements.txt", "-r missing.txt\n-r requirements.txt\n-r \x00\n"),
        ("pyproject.toml", '[project\ndependencies = ["tensorflow<2"]'),
        ("pyproject.toml", "project = 1\ntool = []\n"),
        ("pyproject.toml", '[project]\ndependencies = {tensorflow = "2"}\n[tool.poetry]\ndependencies = 1\n'),
        ("pyproject.toml", '[tool.poetry.dependencies]\ntensorflow = "*"\nkeras = {git = "x"}\n'),
        ("pyproject.toml", "a = " + "[" * 5000),
        ("setup.py", "print 'tensorflow<2'\n"),
        ("setup.py", "raise SystemExit('tensorflow is missing')\n"),
        ("setup.py", "-" * 100_000 + "1"),
        ("setup.cfg", "[metadata]\nname = tensorflow\nversion = 2\ndescription =\n    tensorflow==2\n"),
        ("Pipfile.lock", "[" * 100_000),
        ("Pipfile.lock", "[1]"),
        ("poetry.lock", '[[package]]\nname = "tensorflow"\n[[package]]\nversion = "2.4"\n'),
        ("environment.yml", "name: tensorflow=2.4\n- tensorflow\n"),
        (
            "Dockerfile",
            "FROM tensorflow/tensorflow:latest-gpu\nFROM nvcr.io/nvidia/tensorflow:20.12-tf2-py3\n",
        ),
    ],
)
def test_what_says_no_version_leaves_the_current_release_assumed(
    tmp_path: Path, name: str, text: str
) -> None:
    write(tmp_path, {name: text})
    found = tensorflow(tmp_path)
    assert found.assumed
    assert found.target() == Target("tensorflow", "2.21", None, None)
    assert (found.low, found.high) == (Version("2.21.0"), Version("2.21.0"))


@pytest.mark.parametrize(
    ("framework", "requirement", "words"),
    [
        ("keras", "keras==2.3.1", "2.3.1"),
        ("torch", "torch==1.13.1+cu117", "1.13.1"),
        ("lightning", "pytorch_lightning>=1.5,<2", "1.5 to before 2"),
        ("lightning", "lightning==2.1.0", "2.1"),
        ("jax", "jaxlib>=0.4", "0.4 to 0.8"),
        ("torch", "torch==2.9.0rc1", "2.9"),
    ],
)
def test_distributions_of_a_framework(tmp_path: Path, framework: str, requirement: str, words: str) -> None:
    write(tmp_path, {"requirements.txt": requirement})
    assert project_versions(tmp_path, current=CURRENT.__getitem__).range_of(framework).words == words


def test_conda_calls_torch_pytorch(tmp_path: Path) -> None:
    write(tmp_path, {"environment.yml": "dependencies:\n  - pytorch=1.13\n  - pytorch-lightning 1.8.*\n"})
    versions = project_versions(tmp_path, current=CURRENT.__getitem__)
    assert [versions.range_of(name).words for name in ("torch", "lightning")] == ["1.13", "1.8"]


def test_what_counts_more(tmp_path: Path) -> None:
    said = {
        "Dockerfile": "FROM tensorflow/tensorflow:1.1",
        "setup.cfg": "[options]\ninstall_requires = tensorflow==1.2",
        "requirements.txt": "tensorflow==1.3",
        "poetry.lock": '[[package]]\nname = "tensorflow"\nversion = "1.4"',
    }
    found = [tensorflow(tmp_path, code_evidence="<1.1").words]
    for name, text in said.items():
        write(tmp_path, {name: text})
        found.append(tensorflow(tmp_path, code_evidence="<1.1").words)
    configured = {"tensorflow": Target("tensorflow", "1.5", "pyproject.toml", 7)}
    given = project_versions(tmp_path, configured=configured, current=CURRENT.__getitem__).range_of(
        "tensorflow"
    )
    assert given.target() == Target("tensorflow", "1.5", "pyproject.toml", 7)
    given = project_versions(
        tmp_path, targets={"tensorflow": "1.6"}, configured=configured, current=CURRENT.__getitem__
    ).range_of("tensorflow")
    assert given.target() == Target("tensorflow", "1.6", "--target", None)
    assert found == ["before 1.1", "1.1", "1.2", "1.3", "1.4"]


def test_code_speaks_where_no_file_does(tmp_path: Path) -> None:
    assert tensorflow(tmp_path, code_evidence="<2").target() == Target("tensorflow", "before 2", "code", None)
    assert tensorflow(tmp_path).assumed
    write(tmp_path, {"requirements.txt": "tensorflow==2.4"})
    assert tensorflow(tmp_path, code_evidence="<2").words == "2.4"


def test_a_target_stands_for_all_of_a_release(tmp_path: Path) -> None:
    def target(word: str) -> VersionRange:
        versions = project_versions(tmp_path, targets={"tensorflow": word}, current=CURRENT.__getitem__)
        return versions.range_of("tensorflow")

    assert target("2.4").may("==2.4.3")
    assert target("2.4").holds(">=2.4,<2.5")
    assert not target("2.4.1").may(">=2.4.2")
    assert target(">=2.4,<2.8").words == "2.4 to before 2.8"


def test_the_nearest_folder_that_says_a_version_wins(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "poetry.lock": '[[package]]\nname = "tensorflow"\nversion = "2.4"',
            "old/requirements.txt": "tensorflow==1.15",
            "old/deep/requirements.txt": "tensorflow\nnumpy==1",
        },
    )
    assert tensorflow(tmp_path, "train.py").words == "2.4"
    assert tensorflow(tmp_path, "new/train.py").words == "2.4"
    assert tensorflow(tmp_path, "old/deep/er/train.py").target() == Target(
        "tensorflow", "1.15", "old/requirements.txt", 1
    )
    assert tensorflow(tmp_path / "old", "../train.py").words == "1.15"  # Outside the root: the root speaks.


def test_included_files_count_and_never_leave_the_root(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "outside.txt": "tensorflow==1.1",
            "root/requirements.txt": "-r deps/base.txt  # the rest\n--requirement=../outside.txt\n",
            "root/deps/base.txt": "-c../pins.txt\n-r base.txt\n",
            "root/pins.txt": "\n\ntensorflow==2.4\n",
        },
    )
    (tmp_path / "root/requirements.txt").open("a").write(f"-r {(tmp_path / 'outside.txt').as_posix()}\n")
    assert tensorflow(tmp_path / "root").target() == Target("tensorflow", "2.4", "pins.txt", 3)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_never_leave_the_root(tmp_path: Path) -> None:
    write(tmp_path, {"outside.txt": "tensorflow==1.1", "root/a.py": ""})
    (tmp_path / "root/requirements.txt").symlink_to(tmp_path / "outside.txt")
    (tmp_path / "root/setup.py").symlink_to(tmp_path / "root/setup.py")
    os.mkfifo(tmp_path / "root/Pipfile")
    assert tensorflow(tmp_path / "root").assumed


def test_odd_bytes_and_sizes(tmp_path: Path) -> None:
    file = tmp_path / "requirements.txt"
    for encoding in ("utf-16", "utf-8-sig"):
        file.write_bytes("numpy\r\ntensorflow==2.4\r\n".encode(encoding))
        assert tensorflow(tmp_path).target() == Target("tensorflow", "2.4", "requirements.txt", 2)
    file.write_bytes(b"\xff\x00\xfe caf\xe9\ntensorflow==2.5\n")
    assert tensorflow(tmp_path).words == "2.5"
    file.write_text("tensorflow==2.4\n" + "#" * 2_000_000)
    assert tensorflow(tmp_path).assumed


def test_files_are_read_once_and_only_when_asked(tmp_path: Path) -> None:
    versions = project_versions(tmp_path, current=CURRENT.__getitem__)
    write(tmp_path, {"requirements.txt": "tensorflow==2.4\nkeras==2.3"})
    first = versions.range_of("tensorflow", file=tmp_path / "a.py")
    (tmp_path / "requirements.txt").unlink()
    assert versions.range_of("tensorflow", file=tmp_path / "b.py") is first
    assert versions.range_of("keras").words == "2.3"
