"""KR101: a model that is built, compiled and trained anew for each trial, against one that gets its first weights back."""

import keras  # type: ignore[import-not-found]
import numpy as np  # type: ignore[import-not-found]
from timing import compare

TRIALS = 4
x = np.random.default_rng(0).random((256, 16), dtype=np.float32)
y = x.sum(axis=1)


def build() -> keras.Model:
    """Return a small compiled network."""
    model = keras.Sequential([keras.layers.Dense(64, activation="relu"), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.build((None, 16))
    return model


def anew() -> None:
    """Train a new model in each trial."""
    for _ in range(TRIALS):
        build().fit(x, y, verbose=0)


one = build()
first_weights = one.get_weights()


def again() -> None:
    """Train one model in each trial, from its first weights."""
    for _ in range(TRIALS):
        one.set_weights(first_weights)
        one.fit(x, y, verbose=0)


compare("KR101", f"{TRIALS} trials of one epoch, with a new model for each against one model", anew, again)
