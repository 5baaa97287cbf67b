"""What ends a command early."""


class UsageError(Exception):
    """The command was called in a wrong way; the message says what to do."""
