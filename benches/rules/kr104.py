"""KR104: fit for each batch, against train_on_batch."""

import keras  # type: ignore[import-not-found]
import numpy as np  # type: ignore[import-not-found]
from timing import compare

BATCHES = 20
x = np.random.default_rng(0).random((BATCHES, 32, 16), dtype=np.float32)
y = x.sum(axis=2)
model = keras.Sequential([keras.layers.Dense(64, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")

compare(
    "KR104",
    f"{BATCHES} batches of 32 rows for a small network, fit against train_on_batch",
    lambda: [model.fit(x[i], y[i], verbose=0) for i in range(BATCHES)],
    lambda: [model.train_on_batch(x[i], y[i]) for i in range(BATCHES)],
)
