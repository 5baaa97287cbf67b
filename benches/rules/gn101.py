"""GN101: a Keras model with eager steps, against one with compiled steps."""

import keras  # type: ignore[import-not-found]
import numpy as np  # type: ignore[import-not-found]
from timing import compare

x = np.random.default_rng(0).random((2048, 32), dtype=np.float32)
y = x.sum(axis=1)


def model(*, eager: bool) -> keras.Model:
    """Return a compiled model."""
    made = keras.Sequential([keras.layers.Dense(64, activation="relu"), keras.layers.Dense(1)])
    made.compile(optimizer="adam", loss="mse", run_eagerly=eager)
    return made


slow, fast = model(eager=True), model(eager=False)
compare(
    "GN101",
    "an epoch of 64 batches for a small network, eager against compiled",
    lambda: slow.fit(x, y, verbose=0),
    lambda: fast.fit(x, y, verbose=0),
)
