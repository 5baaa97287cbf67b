"""GN106: an epoch with one sample a step, against 64."""

import keras  # type: ignore[import-not-found]
import numpy as np  # type: ignore[import-not-found]
from timing import compare

x = np.random.default_rng(0).random((1024, 32), dtype=np.float32)
y = x.sum(axis=1)
model = keras.Sequential([keras.layers.Dense(64, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")

compare(
    "GN106",
    "an epoch of 1024 rows for a small network, one row a step against 64",
    lambda: model.fit(x, y, batch_size=1, verbose=0),
    lambda: model.fit(x, y, batch_size=64, verbose=0),
)
