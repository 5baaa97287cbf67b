"""Runs the measurements of all rules and writes `results.json` beside them: `python benches/rules/run.py`."""

import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

HERE = Path(__file__).parent


def measure(script: Path) -> list[dict[str, object]]:
    """Run one rule's script and return the JSON objects that it prints."""
    quiet = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run([sys.executable, script], stdout=subprocess.PIPE, env=quiet, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> None:
    """Measure every rule, one script after the other, and write the results."""
    results = [result for script in sorted(HERE.glob("[a-z][a-z][0-9]*.py")) for result in measure(script)]
    document = {
        "date": date.today().isoformat(),
        "machine": f"{os.cpu_count()} CPU cores, no GPU",
        "results": results,
    }
    (HERE / "results.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
