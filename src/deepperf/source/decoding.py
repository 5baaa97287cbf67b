"""From bytes to text: declared encodings, byte order marks."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from deepperf.source.parsing import ParseFailure

# PEP 263: a comment in the first line, or in the second if the first is blank or a comment.
_COOKIE = re.compile(
    rb"(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))??[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)", re.ASCII
)
# Names that editors write and Python takes, also with a suffix such as `-unix`.
_SPELLINGS = re.compile(r"(?:(utf-8)|(?:latin-1|iso-8859-1|iso-latin-1))(?:-.*)?$")
_UTF16_32 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)


class Encoding(NamedTuple):
    """How a file is encoded, so that it can be written back the same way.

    `is_exact` tells whether encoding the decoded text gives the same bytes: some encodings have several ways
    to say the same.
    """

    name: str
    has_bom: bool = False
    is_exact: bool = True

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
    if data.startswith(_UTF16_32):
        raise ParseFailure("encoding", "is UTF-16 or UTF-32; save it as UTF-8", 1)
    has_bom = data.startswith(codecs.BOM_UTF8)
    body = data[3:] if has_bom else data
    if b"\0" in body:
        raise ParseFailure("encoding", "holds NUL bytes, so it is no text", _line(body, body.index(b"\0")))
    codec = _codec(body)
    if has_bom and codec.name != "utf-8":
        raise ParseFailure("encoding", f"has a UTF-8 mark but declares {codec.name}", 1)
    try:
        text, _ = codec.decode(body)
    except UnicodeDecodeError as error:
        message = f"is not valid {codec.name}; declare its encoding in the first line or save it as UTF-8"
        raise ParseFailure("encoding", message, _line(body, error.start)) from None
    except Exception:  # A codec may fail in its own way.
        raise ParseFailure("encoding", f"cannot be decoded as {codec.name}", 1) from None
    return text, Encoding(codec.name, has_bom, codec.name == "utf-8" or _is_exact(codec, text, body))


def _codec(data: bytes) -> codecs.CodecInfo:
    """Return the codec that a file declares, else that of UTF-8."""
    found = _COOKIE.match(data)
    if found is None:
        return codecs.lookup("utf-8")
    name = found.group(1).decode("ascii")
    spelling = _SPELLINGS.match(name.lower().replace("_", "-"))
    if spelling is not None:
        name = spelling.group(1) or "iso-8859-1"
    try:
        codec = codecs.lookup(name)
    except LookupError:
        raise ParseFailure(
            "encoding", f"declares the unknown encoding {name}", _line(data, found.end())
        ) from None
    if not codec._is_text_encoding:
        raise ParseFailure(
            "encoding", f"declares {name}, which is no text encoding", _line(data, found.end())
        )
    return codec


def _is_exact(codec: codecs.CodecInfo, text: str, data: bytes) -> bool:
    try:
        return codec.encode(text)[0] == data
    except UnicodeError:
        return False


def _line(data: bytes, place: int) -> int:
    return data[:place].replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
