"""A run over files: what is reported, what is hidden, what goes wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from deepperf.engine.files import StandardInput, find_inputs
from deepperf.engine.report import Report
from deepperf.engine.run import Run, check
from deepperf.source import MissingPath
from tests.support import reported, settings, write

HEAD = "import tensorflow as tf\n"


def checked(folder: Path, files: dict[str, str], *options: str, paths: tuple[str, ...] = (".",)) -> Report:
    write(folder, files)
    return check(paths, settings(folder, *options), folder)


def lines(report: Report) -> list[tuple[str, int, str]]:
    return [(f.place.path, f.place.span.line, f.code) for f in report.findings]


def test_findings_are_sorted_and_counted(tmp_path: Path) -> None:
    files = {
        "b.py": HEAD + "tf.abs(x)\n",
        "a/c.py": HEAD + "tf.tile(x)\ntf.cast(x)\n",
        "plain.py": "import os\nos.getcwd()\n",
    }
    report = checked(tmp_path, files)
    assert lines(report) == [("a/c.py", 2, "ZZ106"), ("a/c.py", 3, "ZZ105"), ("b.py", 2, "ZZ107")]
    summary = report.summary
    assert (summary.files, summary.files_analysed, summary.lines) == (3, 2, 7)
    assert (summary.findings, summary.fixable) == (3, 3)


def test_two_runs_say_the_same(tmp_path: Path) -> None:
    files = {f"m{n}.py": HEAD + "tf.identity(tf.abs(tf.identity(x)))\n" for n in range(3)}
    first = checked(tmp_path, files)
    second = checked(tmp_path, files)
    assert first.findings == second.findings
    assert len(first.findings) == 9


@pytest.mark.parametrize(
    "code",
    [
        "import tensorflow as tf\ntf.tile(x)",
        "from tensorflow import tile\ntile(x)",
        "from tensorflow import tile as t\nt(x)",
        "import tensorflow.compat.v1 as tf\ntf.tile(x)",
        "import tensorflow as tf\nt = tf.tile\nt(x)",
        "from tensorflow import *\ntile(x)",
        "def f():\n    import tensorflow as tf\n    return tf.tile(x)",
    ],
)
def test_a_call_is_found_under_every_name(code: str, tmp_path: Path) -> None:
    assert [code for _, _, code in lines(checked(tmp_path, {"a.py": code + "\n"}))] == ["ZZ106"]


def test_a_name_that_is_something_else_is_left_alone(tmp_path: Path) -> None:
    code = HEAD + "def tile(x):\n    return x\ntile(1)\nimport other\nother.tile(2)\n"
    assert lines(checked(tmp_path, {"a.py": code})) == []


def test_methods_are_matched_by_what_they_are_called_on(tmp_path: Path) -> None:
    code = HEAD + "ds = tf.data.Dataset.range(3)\nds.map(f)\nother.map(f)\n[1].map(f)\n"
    code += "tf.data.Dataset.range(3).map(f)\n"
    assert lines(checked(tmp_path, {"a.py": code})) == [("a.py", 3, "ZZ201"), ("a.py", 6, "ZZ201")]


def test_calls_are_matched_by_their_effect(tmp_path: Path) -> None:
    code = HEAD + "tf.random.normal([3])\ntf.constant(1)\n"
    assert lines(checked(tmp_path, {"a.py": code})) == [("a.py", 2, "ZZ202")]


def test_one_problem_at_one_place_is_one_finding(tmp_path: Path) -> None:
    files = {"a.py": HEAD + "tf.identity(x)\n"}
    assert lines(checked(tmp_path, files)) == [("a.py", 2, "ZZ101")]
    assert lines(checked(tmp_path, files, "--ignore", "ZZ101")) == [("a.py", 2, "ZZ102")]


def test_a_silenced_finding_does_not_let_another_rule_speak_in_its_place(tmp_path: Path) -> None:
    report = checked(tmp_path, {"a.py": HEAD + "tf.identity(x)  # deepperf: ignore[ZZ101]\n"})
    assert report.findings == ()
    assert report.summary.suppressed == 1


def test_what_is_hidden_and_how_it_is_shown(tmp_path: Path) -> None:
    files = {"a.py": HEAD + "tf.zeros(3)\n"}
    hidden = checked(tmp_path, files)
    assert (hidden.findings, hidden.summary.hidden) == ((), 1)
    for options in (
        ["--pedantic"],
        ["--select", "ZZ103"],
        ["--select", "unsure-zeros"],
        ["--min-confidence", "low"],
    ):
        shown = checked(tmp_path, files, *options)
        assert (lines(shown), shown.summary.hidden) == ([("a.py", 2, "ZZ103")], 0), options
    for options in (["--select", "ZZ1"], ["--pedantic", "--min-confidence", "high"]):
        assert checked(tmp_path, files, *options).summary.hidden == 1, options


def test_fingerprints_hold_no_line_and_tell_equal_statements_apart(tmp_path: Path) -> None:
    first = checked(tmp_path, {"a.py": HEAD + "tf.abs(x)\ntf.abs(x)\n"})
    moved = checked(tmp_path, {"a.py": "# moved\n\n" + HEAD + "tf.abs(x)\n\ntf.abs( x )\n"})
    prints = [finding.fingerprint for finding in first.findings]
    assert len(set(prints)) == 2
    assert [finding.fingerprint for finding in moved.findings] == prints


def test_a_comment_counts_on_the_line_and_on_the_first_line_of_the_statement(tmp_path: Path) -> None:
    first = "y = [  # deepperf: ignore\n    tf.abs(x),\n    tf.abs(x),\n]\n"
    line = "z = (\n    tf.abs(x),  # deepperf: ignore[slow-abs]\n    tf.abs(x),\n)\n"
    report = checked(tmp_path, {"a.py": HEAD + first + line})
    assert lines(report) == [("a.py", 8, "ZZ107")]
    assert report.summary.suppressed == 3


def test_notebooks_are_reported_by_cell(tmp_path: Path) -> None:
    report = checked(
        tmp_path, {"a.ipynb": "# %%\nimport tensorflow as tf\n# %%\n\ntf.abs(x)\n# %%\nthis is no code\n"}
    )
    assert [(mark.cell, mark.line, mark.code) for mark in reported(report)] == [(3, 2, "ZZ107")]
    assert [(p.kind, p.cell, p.line) for p in report.problems] == [("syntax", 4, 1)]


def test_files_that_cannot_be_used_are_problems_and_the_others_are_checked(tmp_path: Path) -> None:
    (tmp_path / "encoding.py").write_bytes(b"import tensorflow\n# \xff\xfe\n")
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    files = {"good.py": HEAD + "tf.abs(x)\n", "syntax.py": HEAD + "def (:\n", "book.ipynb": "x"}
    write(tmp_path, files)
    (tmp_path / "book.ipynb").write_text('{"import tensorflow": ', encoding="utf-8")
    report = check(["."], settings(tmp_path), tmp_path)
    assert [(p.path, p.kind) for p in report.problems] == [
        ("book.ipynb", "notebook"),
        ("encoding.py", "encoding"),
        ("gone.py", "unreadable"),
        ("syntax.py", "syntax"),
    ]
    assert lines(report) == [("good.py", 2, "ZZ107")]
    assert not report.failed


def test_a_file_that_cannot_be_parsed_does_not_harm_those_that_use_it(tmp_path: Path) -> None:
    files = {
        "a_broken.py": HEAD + "x = 'open\n",
        "b_user.py": HEAD + "from a_broken import x\ntf.abs(x(1))\n",
    }
    report = checked(tmp_path, files)
    assert lines(report) == [("b_user.py", 3, "ZZ107")]
    assert [(problem.path, problem.kind) for problem in report.problems] == [("a_broken.py", "syntax")]


def test_a_rule_that_fails_is_named_and_all_else_goes_on(tmp_path: Path) -> None:
    files = {"a.py": HEAD + "tf.abs(x)\ntf.ones(3)\ntf.ones(3)\ntf.tile(x)\n", "b.py": HEAD + "tf.tile(x)\n"}
    report = checked(tmp_path, files)
    assert lines(report) == [("a.py", 2, "ZZ107"), ("a.py", 5, "ZZ106"), ("b.py", 2, "ZZ106")]
    [problem] = report.problems
    assert (problem.path, problem.line, problem.kind) == ("a.py", 3, "internal")
    assert "ZZ104 failed with KeyError at stand_in.py:" in problem.message
    assert report.failed


def test_standard_input_stands_for_a_file_of_the_project(tmp_path: Path) -> None:
    write(tmp_path, {"pkg/names.py": "from tensorflow import abs\n", "pkg/__init__.py": ""})
    stdin = StandardInput(b"from pkg.names import abs  # tensorflow\nabs(x)\n", "main.py")
    report = check(["-"], settings(tmp_path), tmp_path, stdin=stdin)
    assert lines(report) == [("main.py", 2, "ZZ107")]
    assert report.source("main.py").text.startswith("from pkg.names")
    unnamed = check(["-"], settings(tmp_path), tmp_path, stdin=StandardInput(HEAD.encode() + b"tf.abs(x)\n"))
    assert lines(unnamed) == [("-", 2, "ZZ107")]
    assert unnamed.source("-").text.endswith("tf.abs(x)\n")


def test_a_file_is_checked_once_and_named_from_the_working_directory(tmp_path: Path) -> None:
    write(tmp_path, {"lib/a.py": HEAD + "tf.abs(x)\n", "here/b.py": ""})
    report = check(["../lib", "../lib/a.py", str(tmp_path / "lib")], settings(tmp_path), tmp_path / "here")
    assert lines(report) == [("../lib/a.py", 2, "ZZ107")]
    assert report.source("../lib/a.py").text == HEAD + "tf.abs(x)\n"


@pytest.mark.parametrize("path", [".", "nested", "nested/src/b.py"])
def test_a_file_belongs_to_the_nearest_project_whatever_path_was_given(path: str, tmp_path: Path) -> None:
    write(tmp_path, {"deepperf.toml": "", "a.py": "", "nested/deepperf.toml": "", "nested/src/b.py": ""})
    roots = {given.path: given.root for given in find_inputs([path], tmp_path, settings(tmp_path))}
    assert roots["nested/src/b.py"] == tmp_path.resolve() / "nested"
    assert roots.get("a.py", tmp_path.resolve()) == tmp_path.resolve()


def test_a_missing_path_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingPath, match="nothing"):
        check(["nothing"], settings(tmp_path), tmp_path)


def test_progress_counts_the_files(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "", "b.py": ""})
    seen: list[tuple[int, int]] = []
    check(["."], settings(tmp_path), tmp_path, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def test_each_rule_has_its_time(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": HEAD + "tf.abs(x)\n"})
    run = Run(settings(tmp_path), tmp_path)
    report = check(["a.py"], run.settings, tmp_path)
    assert set(report.timings) == {"ZZ107"}


def test_a_file_is_judged_the_same_alone_and_after_the_files_that_use_it(tmp_path: Path) -> None:
    files = {
        "a_user.py": HEAD + "from z_lib import go\ngo(tf.data.Dataset.range(3))\n",
        "z_lib.py": HEAD + "def go(ds):\n    return ds.map(f)\n",
    }
    expected = [("z_lib.py", 3, "ZZ201")]
    assert lines(checked(tmp_path, files)) == expected
    assert lines(checked(tmp_path, files, paths=("z_lib.py",))) == expected
    assert lines(checked(tmp_path, files, paths=("z_lib.py", "a_user.py"))) == expected


def test_rules_are_off_in_the_files_that_a_pattern_names(tmp_path: Path) -> None:
    config = '[per-file-ignores]\n"old/*" = ["ZZ107"]\n"!old/kept.py" = ["ZZ107"]\n'
    files = dict.fromkeys(("old/a.py", "new/a.py"), HEAD + "tf.abs(x)\n")
    report = checked(tmp_path, {"deepperf.toml": config, **files})
    assert lines(report) == [("new/a.py", 2, "ZZ107")]


def test_a_rule_in_extend_select_hides_nothing(tmp_path: Path) -> None:
    files = {"a.py": HEAD + "tf.zeros(x)\ntf.abs(x)\n"}
    assert [code for *_, code in lines(checked(tmp_path, files))] == ["ZZ107"]
    shown = lines(checked(tmp_path, files, "--extend-select", "ZZ103"))
    assert [code for *_, code in shown] == ["ZZ103", "ZZ107"]


def test_files_given_by_name_are_left_out_where_hooks_ask_for_it(tmp_path: Path) -> None:
    files = dict.fromkeys(("build/a.py", "gone.py", "b.py"), HEAD + "tf.abs(x)\n")
    write(tmp_path, {".gitignore": "gone.py\n", ".git/HEAD": "", **files})
    paths = ("build/a.py", "gone.py", "b.py")
    assert len(check(paths, settings(tmp_path), tmp_path).findings) == 3
    report = check(paths, settings(tmp_path, "--force-exclude"), tmp_path)
    assert lines(report) == [("b.py", 2, "ZZ107")]
