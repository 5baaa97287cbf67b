"""GN103: weights read for each prediction, against once."""

import tempfile
from pathlib import Path

import keras  # type: ignore[import-not-found]
import numpy as np  # type: ignore[import-not-found]
from timing import compare

ROWS = np.random.default_rng(0).random((10, 1, 64), dtype=np.float32)
path = Path(tempfile.mkdtemp()) / "model.keras"
model = keras.Sequential(
    [keras.Input((64,)), keras.layers.Dense(256, activation="relu"), keras.layers.Dense(1)]
)
model.save(path)

compare(
    "GN103",
    f"{len(ROWS)} predictions by a small network, loaded for each against loaded once",
    lambda: [keras.models.load_model(path)(row) for row in ROWS],
    lambda: [model(row) for row in ROWS],
)
