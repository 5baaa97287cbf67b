"""What is forgotten is freed at once: runs have no garbage collector that would find cycles."""

import gc
import weakref
from pathlib import Path

from deepperf.config import Settings
from deepperf.engine.run import Run, check_all

CODE = """
import tensorflow as tf

def load(paths):
    return tf.data.Dataset.from_tensor_slices(paths).map(lambda p: tf.io.read_file(p))

def train(paths, epochs):
    for _ in range(epochs):
        for batch in load(paths).take(1):
            tf.reduce_sum(batch * 2)
"""


def test_nothing_stays_of_what_is_forgotten(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(CODE, encoding="utf-8")
    gc.collect()
    gc.disable()
    try:
        run = Run(Settings(), tmp_path)
        inputs = run.inputs(["train.py"])
        check_all(run, inputs)
        project = run.project(inputs[0].root)
        module = project.modules.at(inputs[0].file)
        assert module is not None
        call = module.index.calls[0].node
        parts: list[object] = [module, project.inference, module.flow(module.index.scope), call]
        kept = [weakref.ref(part) for part in parts]
        del module, parts, call
        project.forget()
        assert [ref() for ref in kept] == [None] * len(kept)
    finally:
        gc.enable()
