"""TF332: a mask set element by element, and by one assignment."""

import numpy as np  # type: ignore[import-not-found]
from timing import compare

ROWS, WIDTH = 1000, 100
indices = np.random.default_rng(0).integers(0, WIDTH, (ROWS, 20))


def one_by_one() -> None:
    """Set each element by itself."""
    mask = np.zeros((ROWS, WIDTH))
    for i, row in enumerate(indices):
        for j in row:
            mask[i, j] = 1


def at_once() -> None:
    """Set all elements with one assignment."""
    mask = np.zeros((ROWS, WIDTH))
    mask[np.arange(ROWS)[:, None], indices] = 1


compare("TF332", f"a mask of {ROWS} rows with 20 places each", one_by_one, at_once)
