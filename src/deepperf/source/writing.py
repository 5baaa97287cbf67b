"""Writing a changed file back: whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress

from deepperf.source.source import Source


def to_bytes(source: Source) -> bytes:
    """Return the bytes of the file with the source's present text.

    Raises:
        UnicodeEncodeError: the text has a character that the file's encoding lacks.
    """
    if source.notebook is not None:
        return source.notebook.to_bytes()
    return source.encoding.encode(source.text)


def write_source(source: Source) -> None:
    """Write a source's text to its file through a temporary file, so that a failure leaves the old file as it was.

    Permissions, encoding, byte order mark and newlines stay; a symbolic link stays one.

    Raises:
        OSError: the file cannot be written.
        UnicodeEncodeError: the text has a character that the file's encoding lacks.
    """
    data = to_bytes(source)
    target = source.file.resolve()
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, target.stat().st_mode & 0o7777)  # noqa: PTH101  (the name comes from mkstemp)
        os.replace(name, target)  # noqa: PTH105
    except BaseException:
        with suppress(OSError):
            os.unlink(name)  # noqa: PTH108
        raise
