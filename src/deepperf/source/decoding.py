"""From bytes to text: declared encodings, byte order marks."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from deepperf.source.parsing import ParseFailure

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")


class Encoding(NamedTuple):
    """How a file is encoded, so that it can be written back the same way."""

    name: str
    has_bom: bool

    def encode(self, text: str) -> bytes:
        """Return the bytes of a text.

        Raises:
            UnicodeEncodeError: the encoding has no such character.
        """
        return (codecs.BOM_UTF8 if self.has_bom else b"") + text.encode(self.name)


def decode(data: bytes) -> tuple[str, Encoding]:
    """Return the text of a Python file and its encoding, as PEP 263 says.

    Raises:
        ParseFailure: the encoding is unknown, or the bytes are not of it.
    """
    has_bom = data.startswith(codecs.BOM_UTF8)
    body = data[3:] if has_bom else data
    name = _declared(body) or "utf-8"
    try:
        codec = codecs.lookup(name)
    except LookupError:
        raise ParseFailure("encoding", f"declares the unknown encoding {name}", 1) from None
    if has_bom and codec.name != "utf-8":
        raise ParseFailure("encoding", f"has a UTF-8 mark but declares {name}", 1)
    if not has_bom and data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise ParseFailure("encoding", "is UTF-16; save it as UTF-8", 1)
    try:
        text, _ = codec.decode(body)
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        message = f"is not valid {codec.name}; declare its encoding in the first line or save it as UTF-8"
        raise ParseFailure("encoding", message, line) from None
    except Exception:  # A codec that is no text encoding (rot13, zlib) fails in its own way.
        raise ParseFailure("encoding", f"cannot be decoded as {name}", 1) from None
    if not isinstance(text, str):
        raise ParseFailure("encoding", f"declares {name}, which is no text encoding", 1)
    return text, Encoding(codec.name, has_bom)


def _declared(data: bytes) -> str | None:
    for line in data.split(b"\n", 2)[:2]:
        found = _COOKIE.match(line)
        if found:
            return found.group(1).decode("ascii", "replace")
        if not _BLANK.match(line.rstrip(b"\r")):
            return None
    return None
