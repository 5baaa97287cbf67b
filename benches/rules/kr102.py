"""KR102: a model that is compiled before each step, against one that is compiled once."""

import keras  # type: ignore[import-not-found]
import numpy as np  # type: ignore[import-not-found]
from timing import compare

STEPS = 5
x = np.random.default_rng(0).random((32, 16), dtype=np.float32)
y = x.sum(axis=1)
model = keras.Sequential([keras.layers.Dense(64, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")


def train(anew: bool) -> None:
    """Take some steps, and compile before each of them if asked to."""
    for _ in range(STEPS):
        if anew:
            model.compile(optimizer="adam", loss="mse")
        model.train_on_batch(x, y)


def once() -> None:
    """Take the same steps with the functions traced before."""
    train(anew=False)


compare(
    "KR102",
    f"{STEPS} steps of a small network, compiled before each against compiled once",
    lambda: train(anew=True),
    once,
)
