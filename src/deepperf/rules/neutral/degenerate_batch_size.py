"""GN106: a training takes one sample a step, or all of them in one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.loops import Loop
from deepperf.facts.pipelines import Step
from deepperf.facts.project.handing import imports
from deepperf.facts.project.hotness import Around
from deepperf.facts.syntax import arguments_of
from deepperf.facts.values import Made, Pipeline
from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Finding,
    Good,
    Impact,
    Place,
    Rule,
    Site,
    call,
    method,
)
from deepperf.rules.keras import passes
from deepperf.rules.neutral import switches

_UNIFORM = frozenset(
    f"torchvision.datasets.{name}"
    for name in "MNIST FashionMNIST KMNIST EMNIST CIFAR10 CIFAR100 SVHN STL10".split()
) | {"torch.utils.data.TensorDataset"}
# Words of code that takes one sample at a time on purpose.
_BY_DESIGN = (
    "instancenorm",
    "instance_norm",
    "instancenormalization",
    "cyclegan",
    "pix2pix",
    "stateful=true",
)


class DegenerateBatchSize(Rule):
    """A training takes one sample a step, or the whole dataset in one step.

    ## Why it is slow
    Each step has a fixed cost, and a batch of one leaves most of the device idle. A batch of all samples needs memory for all of
    them at once.

    ## What to do
    Choose a batch size such as 32, and raise it in powers of two as long as memory allows.

    ## When it is fine
    The samples have different sizes. The network normalises over one sample, as in style transfer. Gradients are accumulated
    over several steps. The recurrent state lives on between samples. A learner gets one sample at a time.
    """

    code, slug = "GN106", "degenerate-batch-size"
    impact = Impact.MEDIUM
    root_cause = "improper-hyper-parameter"
    symptoms = ("slow-execution-time", "out-of-memory", "abnormal-gpu-utilization")
    stages = ("training", "evaluation")
    frameworks = {"keras": ">=2.0", "tensorflow": ">=1.4", "torch": ">=0.4", "transformers": ">=2.0"}
    evidence = (
        "https://www.tensorflow.org/guide/gpu_performance_analysis",
        "https://huggingface.co/docs/transformers/perf_train_gpu_one#batch-size",
        "https://stackoverflow.com/questions/54634884",
        "https://stackoverflow.com/questions/55478678",
    )
    since = "0.1"
    yields_to = ("KR104",)
    cost = Cost("Each sample pays the fixed cost of a step.", None, "benches/rules/gn106.py")

    examples = (
        Bad(
            """
            import keras

            def train(x, y):
                model = keras.Sequential([keras.layers.Dense(1)])
                model.compile("adam", "mse")
                model.fit(x, y, epochs=10, batch_size=1)  # <- GN106
            """
        ),
        Bad(
            """
            from torch.utils.data import DataLoader, TensorDataset

            def train(model, x, y, loss, optimizer):
                loader = DataLoader(TensorDataset(x, y), shuffle=True)  # <- GN106
                for inputs, targets in loader:
                    optimizer.zero_grad()
                    loss(model(inputs), targets).backward()
                    optimizer.step()
            """
        ),
        Good(
            """
            from torch.utils.data import DataLoader, TensorDataset

            def train(model, x, y, loss, optimizer):
                loader = DataLoader(TensorDataset(x, y), batch_size=64, shuffle=True)
                for inputs, targets in loader:
                    optimizer.zero_grad()
                    loss(model(inputs), targets).backward()
                    optimizer.step()
            """,
            why="64 samples share a step",
        ),
        Good(
            """
            from torch.utils.data import DataLoader, TensorDataset

            def train(model, x, y, loss, optimizer):
                loader = DataLoader(TensorDataset(x, y), shuffle=True)
                for i, (inputs, targets) in enumerate(loader):
                    loss(model(inputs), targets).backward()
                    if (i + 1) % 16 == 0:
                        optimizer.step()
                        optimizer.zero_grad()
            """,
            why="gradients are accumulated",
        ),
    )

    @method("fit", on="keras-model")
    def fitted(self, site: Site) -> Iterator[Finding]:
        """Report `fit` with one sample a step, or with all of them."""
        data = passes.given(site.node, "x")
        if self._is_online(site, data) or _is_by_design(site):
            return
        size = passes.given(site.node, "batch_size")
        single = _single_batch(data, site) if data is not None and size is None else None
        if size is not None and switches.constant(size, site) == 1 and _is_written(size):
            yield from self._single(site, f"`{site.spelled}` takes one sample a step", ())
        elif single is not None:
            place = single.scope.module.source.place(single.call, "the batches are made here")
            yield from self._single(site, f"`{site.spelled}` takes one sample a step", (place,))
        elif size is not None and data is not None and _counts(size, data, site):
            yield self.found(
                site,
                f"`{site.spelled}` puts the whole dataset into one batch",
                advice="Choose a batch size such as 32, so that memory holds a part of the data only.",
                because=(site.source.place(size, "as large as the data"),),
                confidence=Confidence.MEDIUM,
                impact=Impact.LOW,
            )

    @call("torch.utils.data.DataLoader")
    def loader(self, site: Site) -> Iterator[Finding]:
        """Report a loader of single samples that a loop trains on."""
        size = site.argument("batch_size")
        others = ("collate_fn", "batch_sampler", "sampler")
        is_one = size is None or (_is_written(size) and switches.constant(size, site) == 1)
        if not is_one or site.has_unpacking or any(site.argument(name) is not None for name in others):
            return
        loop = None if _is_by_design(site) else _training_loop(site)
        if loop is None:
            return
        data = site.argument("dataset")
        values = site.project.inference.values(data, site.scope) if data is not None else ()
        is_uniform = any(isinstance(value, Made) and value.api in _UNIFORM for value in values)
        how = "has no batch size, and gives" if size is None else "gives"
        yield from self._single(
            site,
            f"`{site.spelled}` {how} one sample at a time to the training",
            (loop.place("the training"),),
            is_uniform,
        )

    @call("transformers.TrainingArguments", "transformers.Seq2SeqTrainingArguments")
    def arguments(self, site: Site) -> Iterator[Finding]:
        """Report a trainer of Hugging Face with one sample a step and no accumulation."""
        given = {keyword.arg: keyword.value for keyword in site.node.keywords}
        size = given.get("per_device_train_batch_size")
        if size is None or not _is_written(size) or switches.constant(size, site) != 1:
            return
        if {"gradient_accumulation_steps", "gradient_checkpointing", "deepspeed", None} & given.keys():
            return
        yield from self._single(site, "`per_device_train_batch_size=1` takes one sample a step", (), False)

    @staticmethod
    def _is_online(site: Site, data: ast.expr | None) -> bool:
        """Tell whether the data comes piece by piece, from a loop around or a game."""
        if any(imports(site.module, game) for game in ("gym", "gymnasium")):
            return True
        if data is not None and site.project.singles.proof(data, site.scope) is not None:
            return True
        arounds: Iterator[Around] = site.project.hotness.around(site.located)
        return any(not passes.is_over_folds(around.loop) for around in arounds)

    def _single(
        self, site: Site, message: str, places: tuple[Place, ...], is_sure: bool = True
    ) -> Iterator[Finding]:
        yield self.found(
            site,
            message,
            advice="Choose a batch size such as 32, and raise it as long as memory allows.",
            because=(site.place("the batch size"), *places),
            confidence=Confidence.MEDIUM,
            impact=Impact.MEDIUM if is_sure else Impact.LOW,
            related=places,
        )


def _is_written(size: ast.expr) -> bool:
    """Tell whether the size stands in the call itself: a name of its own is an option that is made to be changed."""
    return isinstance(size, ast.Constant)


def _counts(size: ast.expr, data: ast.expr, site: Site) -> bool:
    """Tell whether a batch size is the number of samples: `len(x)`, `x.shape[0]`."""
    wanted = ast.unparse(data)
    if isinstance(size, ast.Call) and site.project.inference.api(size.func, site.scope) == "builtins.len":
        return ast.unparse(size.args[0]) == wanted if size.args else False
    return ast.unparse(size) == f"{wanted}.shape[0]"


def _single_batch(data: ast.expr, site: Site) -> Step | None:
    """Return the step that makes batches of one from arrays, where nothing batches after it."""
    for value in site.project.inference.values(data, site.scope):
        step = value.step if isinstance(value, Pipeline) else None
        batch = None
        while step is not None and len(step.inputs) == 1:
            if batch is None and step.name.endswith(
                (".batch", ".padded_batch", ".unbatch", ".apply", ".rebatch")
            ):
                batch = step
            step = step.inputs[0]
        source = step.name.rpartition(".")[2] if step is not None else ""
        is_call = batch is not None and isinstance(batch.call, ast.Call) and batch.name.endswith(".batch")
        if batch is not None and is_call and source == "from_tensor_slices":
            first = next(iter(arguments_of(batch.call)), None)  # type: ignore[arg-type]
            if isinstance(first, ast.Constant) and first.value == 1:
                return batch
    return None


def _training_loop(site: Site) -> Loop | None:
    """Return the loop that runs over a loader and takes an optimiser step for each element."""
    for found in site.module.index.loops:
        loop = Loop(found.body, site.project.inference)
        if not any(isinstance(value, Made) and value.node is site.node for value in loop.iterated):
            continue
        calls = site.project.models.calls_in(Around(loop, (), found.context))
        steps = [call for call in calls if call.method_name == "step" and not call.node.args]
        is_each = all(step.scope is not found.scope or not _is_conditional(step.node, loop) for step in steps)
        if steps and is_each and any(call.method_name == "backward" for call in calls):
            return loop
    return None


def _is_conditional(node: ast.AST, loop: Loop) -> bool:
    """Tell whether a call stands in a branch of the loop: gradients are accumulated there."""
    return any(
        isinstance(branch, ast.If) and any(part is node for part in ast.walk(branch))
        for branch in ast.walk(loop.node)
    )


def _is_by_design(site: Site) -> bool:
    text = site.source.text.lower().replace(" ", "")
    return any(word in text for word in _BY_DESIGN)
