"""Writing a changed file back: whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from deepperf.source.source import Source


def write_source(source: Source, new_text: str | None = None) -> None:
    """Write a source's text, or another one in its place, to its file: whole or not at all.

    Permissions, encoding, byte order mark and newlines stay; a symbolic link stays one.

    Raises:
        OSError: the file cannot be written.
        UnicodeEncodeError: the text has a character that the file's encoding lacks.
        ValueError: the file is a notebook and the new text has more or fewer cells.
    """
    write_bytes(source.file, (source if new_text is None else source.with_text(new_text)).to_bytes())


def write_bytes(file: Path, data: bytes) -> None:
    """Write a file whole or not at all; permissions stay, and a symbolic link stays one.

    Raises:
        OSError: the file cannot be written.
    """
    import tempfile

    target = file.resolve()
    # In the same folder: only then does the rename happen at once.
    descriptor, name = tempfile.mkstemp(prefix=".deepperf-", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, _mode(target))  # noqa: PTH101  (the name comes from mkstemp)
        os.replace(name, target)  # noqa: PTH105
    except BaseException:
        with suppress(OSError):
            os.unlink(name)  # noqa: PTH108
        raise


def _mode(target: Path) -> int:
    """Return the permissions of a file; for a new one, those that files get here."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
