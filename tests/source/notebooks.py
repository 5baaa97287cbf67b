"""Notebooks made by hand, for the tests of sources."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from deepperf.source import Source, read_source


def cell(text: str | list[str], kind: str = "code", **more: Any) -> dict[str, Any]:
    """Return a cell of nbformat 4."""
    outputs: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, **outputs, "source": text, **more}


def content(*cells: Any, **metadata: Any) -> dict[str, Any]:
    """Return a notebook of nbformat 4; a string stands for a code cell with its lines as a list."""
    made = [cell(one.splitlines(True)) if isinstance(one, str) else one for one in cells]
    return {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def read(data: bytes | dict[str, Any], name: str = "a.ipynb") -> Source:
    """Return the source of a notebook."""
    raw = data if isinstance(data, bytes) else json.dumps(data, indent=1).encode() + b"\n"
    return read_source(Path(name), name, data=raw)


def notebook(*cells: Any) -> Source:
    """Return the source of a notebook with these cells."""
    return read(content(*cells))
