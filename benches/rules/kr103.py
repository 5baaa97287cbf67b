"""KR103: a prediction for one row at a time, against one for all rows."""

import keras  # type: ignore[import-not-found]
import numpy as np  # type: ignore[import-not-found]
from timing import compare

ROWS = 50
x = np.random.default_rng(0).random((ROWS, 16), dtype=np.float32)
model = keras.Sequential([keras.layers.Dense(64, activation="relu"), keras.layers.Dense(1)])

compare(
    "KR103",
    f"prediction of {ROWS} rows by a small network, row by row against all at once",
    lambda: [model.predict(x[i : i + 1], verbose=0) for i in range(ROWS)],
    lambda: model.predict(x, verbose=0),
)
compare(
    "KR103",
    f"prediction of {ROWS} rows by a small network, row by row, predict against predict_on_batch",
    lambda: [model.predict(x[i : i + 1], verbose=0) for i in range(ROWS)],
    lambda: [model.predict_on_batch(x[i : i + 1]) for i in range(ROWS)],
)
