"""`python -m deepperf`."""

import sys

from deepperf.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
