"""The engine is tested with stand-in rules: what real rules find has tests of its own."""

import pytest

from deepperf.rules import registry
from tests.engine.stand_in import ENTRIES


@pytest.fixture(autouse=True)
def stand_in_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    for code in list(registry.ENTRIES):
        monkeypatch.delitem(registry.ENTRIES, code)
    for code, entry in ENTRIES.items():
        monkeypatch.setitem(registry.ENTRIES, code, entry)
