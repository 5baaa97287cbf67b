"""TF331: all images are read one by one in Python into one array that a model is trained on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.loops import Loop, Trips
from deepperf.facts.scopes import Located
from deepperf.facts.syntax import arguments_of, dotted_name
from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Effort,
    Finding,
    Good,
    Hot,
    Impact,
    Place,
    Rule,
    Site,
    call,
)

_READERS = (
    "cv2.imread",
    "PIL.Image.open",
    "matplotlib.pyplot.imread",
    "matplotlib.image.imread",
    "imageio.imread",
    "imageio.v2.imread",
    "imageio.v3.imread",
    "skimage.io.imread",
    "scipy.misc.imread",
    "keras.preprocessing.image.load_img",
    "keras.utils.load_img",
    *(f"tensorflow.io.decode_{kind}" for kind in ("image", "jpeg", "png", "bmp", "gif")),
)


class ImagesReadOneByOne(Rule):
    """All images are read one by one in Python into one array, and the model is trained on it.

    ## Why it is slow
    One core reads and decodes one file after the other before training can start, at each start of the program. List and array
    together hold all images twice, as floats many times what the files need; a larger data set no longer fits into memory.

    ## What to do
    Make a dataset of the paths and read in it: `tf.data.Dataset.from_tensor_slices((paths, labels)).map(read_and_decode,
    num_parallel_calls=tf.data.AUTOTUNE).batch(32).prefetch(tf.data.AUTOTUNE)`, or use
    `tf.keras.utils.image_dataset_from_directory`.

    ## When it is fine
    There are a few images. Only paths and labels are collected. The images are written somewhere, not trained on.
    """

    code, slug = "TF331", "images-read-one-by-one"
    impact = Impact.MEDIUM
    effort = Effort.MEDIUM
    root_cause = "improper-data-input"
    symptoms = ("slow-initialization-time", "out-of-memory")
    stages = ("data-preparation",)
    frameworks = {"tensorflow": ">=1.4", "keras": ">=2.0"}
    evidence = (
        "https://stackoverflow.com/questions/65037659",
        "https://stackoverflow.com/questions/54275734",
        "https://www.tensorflow.org/api_docs/python/tf/keras/utils/image_dataset_from_directory",
    )
    since = "0.1"
    cost = Cost(
        "One core decodes all images before the first step, and all of them are held in memory at once.",
        None,
        "https://www.tensorflow.org/tutorials/load_data/images",
    )

    examples = (
        Bad(
            """
            import glob
            import cv2
            import numpy as np
            import tensorflow as tf

            def train(model: tf.keras.Model, labels):
                images = []
                for path in glob.glob("images/*.png"):
                    images.append(cv2.resize(cv2.imread(path), (64, 64)))  # <- TF331
                model.fit(np.array(images) / 255.0, labels)
            """
        ),
        Bad(
            """
            import numpy as np
            import tensorflow as tf
            from PIL import Image

            def load(paths):
                images = [np.asarray(Image.open(path)) for path in paths]  # <- TF331
                return np.stack(images)

            def train(paths, labels):
                x = load(paths)
                model = tf.keras.models.load_model("model.keras")
                model.fit(x, labels, epochs=5)
            """
        ),
        Good(
            """
            import tensorflow as tf

            def train(model: tf.keras.Model):
                model.fit(tf.keras.utils.image_dataset_from_directory("images"), epochs=5)
            """,
            why="images are read in parallel, batch by batch",
        ),
        Good(
            """
            import cv2

            def convert(paths):
                for path in paths:
                    cv2.imwrite(path.replace(".png", ".jpg"), cv2.imread(path))
            """,
            why="nothing is trained on them",
        ),
    )

    @call(*_READERS)
    def read(self, site: Site) -> Iterator[Finding]:
        """Report a reader in a loop whose images go into a list that a model is trained on."""
        for around in site.project.hotness.around(site.located):
            if around.loop.trips in (Trips.ONCE, Trips.FEW):
                continue
            image = around.chain[0].call if around.chain else site.located
            name = _collected(image, around.loop)
            fit = site.project.trained_on.fit(name, around.loop.scope) if name is not None else None
            if name is not None and fit is not None:
                yield self._finding(site, around.loop, name, fit)
                return

    def _finding(self, site: Site, loop: Loop, name: str, fit: Place) -> Finding:
        place = loop.place("the loop over the files")
        return self.found(
            site,
            f"`{site.spelled}` reads one image on each pass of the loop on {site.line_of(place)} into `{name}`, "
            f"and all of them are held in memory to train on ({site.line_of(fit)})",
            advice="Make a tf.data dataset of the paths and read the images in its map, or use image_dataset_from_directory.",
            because=(place, fit),
            related=(place, fit),
            confidence=Confidence.MEDIUM,
            hot=Hot.ONCE,
        )


def _collected(image: Located, loop: Loop) -> str | None:
    """Return the list that gets what is made of an image on a pass: by append, or as the value of a comprehension."""
    if loop.is_comprehension:
        statement = image.statement
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        return target.id if isinstance(target, ast.Name) else None
    made = _names_made(image, loop)
    for found in image.module.project.calls.of_scope(loop.scope):
        if found.method_name != "append" or not loop.runs(found.node):
            continue
        parts = [node for value in arguments_of(found.node) for node in ast.walk(value)]
        if image.node in parts or any(isinstance(part, ast.Name) and part.id in made for part in parts):
            return dotted_name(found.node.func.value)  # type: ignore[attr-defined]
    return None


def _names_made(image: Located, loop: Loop) -> set[str]:
    """Return the names in a loop that hold the image or what is computed from it."""
    assert not isinstance(loop.node, ast.comprehension)
    made: set[str] = set()
    for _ in range(2):
        for statement in loop.node.body:
            for node in ast.walk(statement):
                if isinstance(node, ast.Assign) and any(
                    part is image.node or (isinstance(part, ast.Name) and part.id in made)
                    for part in ast.walk(node.value)
                ):
                    made.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return made
