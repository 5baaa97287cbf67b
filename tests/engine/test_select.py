"""Which rules are on, and which can speak about a file."""

import pytest

from deepperf.engine.select import Selection, UnknownRuleError, frameworks_in, rules_for, select
from deepperf.rules import registry


def test_all_rules_are_on_by_default() -> None:
    assert select((), ()).codes == set(registry.ENTRIES)
    assert select(("ALL",), ()).codes == set(registry.ENTRIES)


@pytest.mark.parametrize(
    ("chosen", "ignored", "codes", "named"),
    [
        (("ZZ101",), (), {"ZZ101"}, {"ZZ101"}),
        (("zz101",), (), {"ZZ101"}, {"ZZ101"}),
        (("identity-call",), (), {"ZZ101"}, {"ZZ101"}),
        (("ZZ2",), (), {"ZZ201", "ZZ202"}, set()),
        (("ZZ2", "ZZ201"), (), {"ZZ201", "ZZ202"}, {"ZZ201"}),
        (("ZZ2",), ("any-map",), {"ZZ202"}, set()),
        (("ZZ201",), ("ZZ2",), set(), set()),
    ],
)
def test_codes_names_and_prefixes(
    chosen: tuple[str, ...], ignored: tuple[str, ...], codes: set[str], named: set[str]
) -> None:
    assert select(chosen, ignored) == Selection(frozenset(codes), frozenset(named))


def test_a_prefix_that_fits_one_rule_does_not_name_it() -> None:
    assert select(("ZZ10", "ZZ202"), ()).named == {"ZZ202"}
    del registry.ENTRIES["ZZ202"]
    assert select(("ZZ2",), ()) == Selection(frozenset({"ZZ201"}), frozenset())


@pytest.mark.parametrize(("word", "near"), [("ZZ901", "ZZ"), ("identity-cal", "identity-call")])
def test_an_unknown_rule_is_refused_with_the_nearest_known(word: str, near: str) -> None:
    with pytest.raises(UnknownRuleError, match=f"no rule '{word}'; did you mean {near}"):
        select((word,), ())
    with pytest.raises(UnknownRuleError):
        select((), (word,))


def test_a_renamed_code_keeps_working(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.REDIRECTS, "ZZ001", "ZZ101")
    assert select(("ZZ001",), ()) == Selection(frozenset({"ZZ101"}), frozenset({"ZZ101"}))


def test_only_files_that_name_a_framework_are_looked_at() -> None:
    codes = frozenset(registry.ENTRIES)
    assert frameworks_in(b"import tensorflow as tf", codes) == {"tensorflow"}
    assert frameworks_in(b"import torch", codes) == frozenset()
    assert rules_for(codes, frozenset({"tensorflow"})) == codes
    assert rules_for(codes, frozenset({"torch"})) == frozenset()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"import tensorflow as tf\n", True),
        (b"from tensorflow.keras import layers\n", True),
        (b"import os, tensorflow\n", True),
        (b'    "import tensorflow as tf\\n",\n', True),
        (b"tf = importlib.import_module('tensorflow')\n", True),
        (b"# like tensorflow\nx = 'tensorflow'\n", False),
        (b"import tensorflow_probability\n", False),
    ],
)
def test_a_package_counts_where_it_is_imported(text: bytes, found: bool) -> None:
    assert ("tensorflow" in frameworks_in(text, frozenset(registry.ENTRIES))) is found
