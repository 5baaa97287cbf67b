"""What deepperf says of the shipped example."""

from pathlib import Path

from deepperf.cli.check import settings_for
from deepperf.cli.options import parser
from deepperf.engine.run import check

ROOT = Path(__file__).parent.parent


def test_shipped_example_shows_every_rule() -> None:
    settings = settings_for(parser().parse_args(["--isolated"]), ROOT)
    report = check(["examples"], settings, ROOT)
    found = [
        (f.place.path.removeprefix("examples/flowers/"), f.place.cell, f.place.span.line, f.code)
        for f in report.findings
    ]
    assert found == [
        ("attention.py", None, 11, "TF104"),
        ("legacy_score.py", None, 14, "TF101"),
        ("look.ipynb", 4, 2, "TF201"),
        ("pipeline.py", None, 19, "TF202"),
        ("pipeline.py", None, 26, "TF203"),
        ("pipeline.py", None, 27, "TF201"),
    ]
    assert report.problems == ()


def test_readme_shows_what_the_example_gives() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    settings = settings_for(parser().parse_args(["--isolated"]), ROOT)
    report = check(["examples/flowers/legacy_score.py"], settings, ROOT)
    assert report.findings[0].code in text
    assert report.findings[0].message.split("`")[1] in text
