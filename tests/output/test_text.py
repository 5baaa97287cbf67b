"""The report for people."""

from deepperf.model import Confidence, Impact, Place, Problem, Safety, Span
from deepperf.model.finding import Fix
from deepperf.output.style import Style
from deepperf.output.text import render
from tests.output.reports import PARALLEL, finding, report

EXPECTED = """\
train.py

  TF202 serial-dataset-map: high impact, medium confidence
  train.py:5:10: `ds.map` runs `parse` on one element at a time
     3 | def load(files):
     4 |     ds = tf.data.TFRecordDataset(files)
     5 |     ds = ds.map(parse)
       |          ^^^^^^^^^^^^^
     6 |     return ds.batch(32)
  data.py:1:1: the mapped function
     1 | def parse(x):
       | ^^^^^^^^^^^^^
  Cost: One core works, the others wait. (benches/rules/tf202.py)
  Do:   Pass num_parallel_calls=tf.data.AUTOTUNE.
  Fix:  Run the map in parallel: safe, apply it with --fix. The order stays.
  For:  tensorflow 2.4 (requirements.txt:3)

1 problem found (2 files checked, 1 with a framework that deepperf knows).
--fix repairs 1.
"""


def test_a_finding_says_what_is_wrong_what_it_costs_and_what_to_do() -> None:
    assert render(report(finding()), Style()) == EXPECTED


def test_findings_are_grouped_by_file() -> None:
    other = finding(place=Place("data.py", Span(2, 5, 2, 11)))
    lines = render(report(other, finding(), finding(code="TF203")), Style()).splitlines()
    assert [line for line in lines if line in ("train.py", "data.py")] == ["data.py", "train.py"]


def test_a_related_place_inside_the_frame_is_not_drawn_twice() -> None:
    near = Place("train.py", Span(4, 10, 4, 20), "the pipeline starts here")
    text = render(report(finding(related=(near,))), Style())
    assert "train.py:4:10: the pipeline starts here" in text
    assert text.count("ds = tf.data.TFRecordDataset(files)") == 1


def test_the_fix_says_how_safe_it_is() -> None:
    unsafe = Fix("Do it", PARALLEL.edits, Safety.UNSAFE, "The order changes.")
    assert "--fix --unsafe-fixes. The order changes." in render(report(finding(fix=unsafe)), Style(width=200))
    shown = Fix("Do it", (), Safety.DISPLAY, "")
    assert "only a suggestion" in render(report(finding(fix=shown)), Style())
    assert "Fix:" not in render(report(finding(fix=None)), Style())


def test_every_line_fits_into_a_narrow_terminal() -> None:
    long = finding(place=Place("train.py", CALL_SPAN, ""), advice="Pass it. " * 20)
    text = render(report(long, hidden=3), Style(width=40))
    assert [
        line for line in text.split("\n\n")[1].splitlines() if len(line) > 40 and " " in line.strip()
    ] == []


def test_the_summary_says_what_is_not_seen() -> None:
    text = render(report(hidden=3, suppressed=1), Style())
    assert "No problems found" in text
    assert "3 findings hidden, with low impact or confidence: --pedantic shows them." in text
    assert "1 finding silenced by comments." in text


def test_an_empty_run_says_so() -> None:
    assert (
        render(report(files=0, files_analysed=0, lines=0), Style()) == "No Python files or notebooks found.\n"
    )


def test_errors_say_where_and_what_to_do() -> None:
    problem = Problem("bad.ipynb", "syntax", "is not valid Python: oh", 3, 7, 2)
    text = render(report(problems=(problem,)), Style(width=120))
    assert "bad.ipynb:cell 2:3:7: is not valid Python: oh. Correct it, or leave the file out with" in text
    assert "1 error: see above." in text


def test_a_file_that_is_gone_has_no_frame() -> None:
    gone = finding(place=Place("gone.py", CALL_SPAN), related=())
    text = render(report(gone), Style())
    assert "gone.py:5:10: `ds.map`" in text
    assert " | " not in text


def test_colours_do_not_change_the_words() -> None:
    import re

    coloured = render(report(finding(impact=Impact.LOW, confidence=Confidence.LOW)), Style(colour=True))
    plain = render(report(finding(impact=Impact.LOW, confidence=Confidence.LOW)), Style())
    assert coloured != plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


CALL_SPAN = Span(5, 10, 5, 23)
