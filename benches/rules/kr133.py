"""KR133: the same network with kernels of 15x15 and of 3x3."""

import keras  # type: ignore[import-not-found]
import numpy as np  # type: ignore[import-not-found]
from timing import compare

images = np.random.default_rng(0).random((64, 64, 64, 3), dtype=np.float32)


def network(side: int) -> keras.Model:
    """Return a small network whose convolutions have kernels of this side."""
    conv = {"padding": "same", "activation": "relu"}
    return keras.Sequential(
        [
            keras.layers.Conv2D(32, side, **conv),
            keras.layers.MaxPooling2D(),
            keras.layers.Conv2D(64, side, **conv),
            keras.layers.GlobalAveragePooling2D(),
        ]
    )


large, small = network(15), network(3)
compare(
    "KR133",
    "prediction of 64 images of 64x64 by two convolutions, 15x15 against 3x3",
    lambda: large.predict_on_batch(images),
    lambda: small.predict_on_batch(images),
)
