"""The command line: finds the command, and ends cleanly whatever happens."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

from deepperf import __version__
from deepperf.cli.errors import UsageError

COMMANDS = {
    "check": "find performance problems, and fix them",
    "explain": "explain a rule: why it is slow, what to do, when it is fine",
    "rules": "list the rules",
    "baseline": "note the findings of today, so that only new ones count",
    "inspect": "show what is known of a program: pipelines, loops, regions, calls",
    "config": "show the settings and where each comes from",
}
_LIST = "\n".join(f"  {name:<9} {what}" for name, what in COMMANDS.items())
_HELP = f"""\
usage: deepperf COMMAND [options]

deepperf finds performance problems in deep-learning code: TensorFlow, Keras, PyTorch, JAX.
It reads your code and never runs it.

commands:
{_LIST}

options:
  -h, --help  show this help; `deepperf COMMAND --help` shows that of a command
  --version   show the version

examples:
  deepperf check                  check all Python files and notebooks below this folder
  deepperf check train.py --diff  show what the safe fixes would change
  deepperf explain TF202          say why a rule speaks, and what to do
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (that of the process by default) and return its exit code.

    0: nothing found; 1: findings; 2: wrong use; 3: files that could not be read; 4: an error in deepperf;
    130: interrupted; 141: the reader of the output went away.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except UsageError as error:
        print(f"deepperf: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ndeepperf: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Python flushes standard output once more at exit: give it somewhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return code


def _run(arguments: list[str]) -> int:
    name = arguments[0] if arguments else "--help"
    if name in ("-h", "--help", "help"):
        sys.stdout.write(_HELP)
        return 0 if arguments else 2
    if name in ("-V", "--version", "version"):
        print(f"deepperf {__version__}")
        return 0
    if name not in COMMANDS:
        raise UsageError(_unknown(name))
    command = importlib.import_module(f"deepperf.cli.{name}")
    code: int = command.run(arguments[1:])
    return code


def _unknown(name: str) -> str:
    import difflib

    near = difflib.get_close_matches(name, COMMANDS, n=1)
    if near:
        return f"there is no command {name!r}; did you mean `deepperf {near[0]}`?"
    if name.startswith("-") or os.path.exists(name):  # noqa: PTH110  (pathlib would slow down every start)
        return f"the command is missing; did you mean `deepperf check {name}`?"
    return f"there is no command {name!r}; there are {', '.join(COMMANDS)}. See `deepperf --help`."
