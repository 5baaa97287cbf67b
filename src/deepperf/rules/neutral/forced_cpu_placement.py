"""GN104: the GPU is hidden from a program that trains."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.project.conditions import named_for
from deepperf.facts.project.handing import imports
from deepperf.facts.syntax import inside
from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Finding,
    Good,
    Impact,
    Rule,
    Site,
    Spot,
    StoreSpot,
    call,
    store,
)
from deepperf.rules.neutral import switches, training

_VARIABLES = {
    "CUDA_VISIBLE_DEVICES": ("", "-1"),
    "JAX_PLATFORMS": ("cpu",),
    "JAX_PLATFORM_NAME": ("cpu",),
}
_OTHERS = ("torch", "jax", "flax")


class ForcedCpuPlacement(Rule):
    """A program that trains hides the GPU from itself, or pins its work to the CPU.

    ## Why it is slow
    All of the training runs on the CPU, also on a machine with a GPU. Nothing warns of it.

    ## What to do
    Remove the line, or make it an option that is off by default.

    ## When it is fine
    An option asks for it. The program only predicts, converts or tests. TensorFlow only loads data beside another framework.
    The block on the CPU holds the input pipeline. The model is so small that a GPU would not help: then the finding is shown with
    `--pedantic` only, as long as nothing else in the file asks for a GPU.
    """

    code, slug = "GN104", "forced-cpu-placement"
    impact = Impact.MEDIUM
    root_cause = "improper-configuration"
    symptoms = ("not-using-gpu", "slow-execution-time")
    stages = ("initialization", "model-building")
    frameworks = {
        "tensorflow": ">=1.0",
        "keras": ">=2.0",
        "torch": ">=0.4",
        "lightning": ">=1.7",
        "transformers": ">=2.0",
        "jax": ">=0.2",
    }
    evidence = (
        "https://www.tensorflow.org/guide/gpu",
        "https://docs.jax.dev/en/latest/gpu_memory_allocation.html",
        "https://stackoverflow.com/questions/59074659",
    )
    since = "0.1"
    cost = Cost("All of the training runs on the CPU.", None, "https://www.tensorflow.org/guide/gpu")

    examples = (
        Bad(
            """
            import os

            os.environ["CUDA_VISIBLE_DEVICES"] = "-1"  # <- GN104

            import tensorflow as tf

            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, True)

            def train(model, data):
                model.fit(data, epochs=10)
            """
        ),
        Bad(
            """
            import torch

            device = torch.device("cpu")  # <- GN104

            def train(model, loader, loss, optimizer):
                model.to(device)
                for x, y in loader:
                    loss(model(x.to(device)), y.to(device)).backward()
                    optimizer.step()
                print(torch.cuda.max_memory_allocated())
            """
        ),
        Good(
            """
            import torch

            device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

            def train(model, loader, loss, optimizer):
                model.to(device)
                for x, y in loader:
                    loss(model(x.to(device)), y.to(device)).backward()
                    optimizer.step()
            """,
            why="the CPU is used only where there is no GPU",
        ),
        Good(
            """
            import os

            os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

            import tensorflow as tf

            def serve(model, data):
                return model.predict(data)
            """,
            why="nothing is trained",
        ),
    )

    @store("environ")
    def variable(self, site: StoreSpot) -> Iterator[Finding]:
        """Report an environment variable that hides the GPU."""
        found = switches.variable_set(site)
        if found is not None and found[1] in _VARIABLES.get(found[0], ()):
            yield from self._finding(site, f"`{found[0]}={found[1]}` hides the GPU from this training")

    @call("tensorflow.config.set_visible_devices")
    def hidden(self, site: Site) -> Iterator[Finding]:
        """Report an empty list of visible GPUs."""
        devices = site.argument("devices")
        is_empty = isinstance(devices, ast.List | ast.Tuple) and not devices.elts
        is_gpu = str(switches.constant(site.argument("device_type"), site)).upper() == "GPU"
        if is_empty and is_gpu and not any(imports(site.module, other) for other in _OTHERS):
            yield from self._finding(site, f"`{site.spelled}` hides the GPU from this training")

    @call("tensorflow.ConfigProto")
    def counted(self, site: Site) -> Iterator[Finding]:
        """Report a session that may use no GPU."""
        given = next((keyword.value for keyword in site.node.keywords if keyword.arg == "device_count"), None)
        counts = zip(given.keys, given.values, strict=True) if isinstance(given, ast.Dict) else ()
        if any(switches.constant(k, site) == "GPU" and switches.constant(v, site) == 0 for k, v in counts):
            yield from self._finding(site, "`device_count={'GPU': 0}` hides the GPU from this training")

    @call("jax.config.update")
    def platform(self, site: Site) -> Iterator[Finding]:
        """Report JAX told to use the CPU."""
        name = switches.constant(site.argument("name"), site)
        value = switches.constant(site.argument("val"), site)
        if name in ("jax_platforms", "jax_platform_name") and value == "cpu":
            yield from self._finding(site, f"`{name}=cpu` hides the GPU from this training")

    @call("lightning.Trainer", "transformers.TrainingArguments")
    def trainer(self, site: Site) -> Iterator[Finding]:
        """Report a trainer told to use the CPU."""
        for keyword in site.node.keywords:
            is_cpu = keyword.arg == "accelerator" and switches.constant(keyword.value, site) == "cpu"
            if is_cpu or (keyword.arg in ("use_cpu", "no_cuda") and switches.is_true(keyword.value)):
                yield from self._finding(site, f"`{ast.unparse(keyword)}` keeps this training on the CPU")

    @call("tensorflow.device")
    def block(self, site: Site) -> Iterator[Finding]:
        """Report a block on the CPU with a whole training in it."""
        name = switches.constant(site.node.args[0], site) if site.node.args else None
        statement = site.located.statement
        if not _is_cpu(name) or not isinstance(statement, ast.With):
            return
        others = [c for c in site.module.index.calls if c.method_name == "device" and c.node is not site.node]
        trained = [
            found
            for found in site.module.index.calls
            if found.method_name in ("fit", "fit_generator", "apply_gradients")
            and inside(found.node, statement)
            and found.scope is site.scope
        ]
        if trained and not others:
            yield from self._finding(site, f"`{site.spelled}` keeps the training in its block on the CPU")

    @call("torch.device")
    def device(self, site: Site) -> Iterator[Finding]:
        """Report `device = torch.device("cpu")` in a file that uses CUDA."""
        statement = site.located.statement
        name = switches.constant(site.node.args[0], site) if site.node.args else None
        if name != "cpu" or not isinstance(statement, ast.Assign) or statement.value is not site.node:
            return
        target = statement.targets[0]
        if isinstance(target, ast.Name) and _is_only_device(target, site) and training.uses_gpu(site):
            yield from self._finding(site, f"`{target.id}` is the CPU, whatever the machine has")

    def _finding(self, site: Spot, message: str) -> Iterator[Finding]:
        because = switches.always_on(site)
        if not because or not training.trains(site) or named_for(site.located, ("cpu", "infer", "export")):
            return
        wants_gpu = training.uses_gpu(site)
        yield self.found(
            site,
            message,
            advice="Remove it, or make it an option that is off by default.",
            because=because,
            confidence=Confidence.MEDIUM,
            impact=Impact.MEDIUM if wants_gpu else Impact.LOW,
        )


def _is_cpu(name: object) -> bool:
    return isinstance(name, str) and name.lower().strip("/").removeprefix("device:").startswith("cpu")


def _is_only_device(target: ast.Name, site: Site) -> bool:
    """Tell whether a name gets no other device, and models or tensors are moved to it."""
    definitions = site.module.flow(site.scope).definitions.get(target.id, ())
    moved = any(
        found.method_name == "to"
        and any(isinstance(value, ast.Name) and value.id == target.id for value in found.node.args)
        for found in site.module.index.calls
    )
    return len(definitions) == 1 and moved
