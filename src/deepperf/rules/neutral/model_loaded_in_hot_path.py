"""GN103: a model, a tokenizer or weights are loaded again and again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.loops import LoopKind, Trips
from deepperf.facts.project.handlers import Handler
from deepperf.facts.project.hotness import Around
from deepperf.facts.project.regions import Mode
from deepperf.rules.api import Bad, Confidence, Cost, Finding, Good, Hot, Impact, Loop, Rule, Site, call
from deepperf.rules.keras import passes
from deepperf.rules.neutral import loading

_ONCE = (Mode.TRACED, Mode.DATASET, Mode.LOOP_BODY)


class ModelLoadedInHotPath(Rule):
    """A model, a tokenizer or a file of weights is loaded again on each pass of a loop, for each request or for each row.

    ## Why it is slow
    Loading reads the weights from disk, builds the model and moves it to the device. That takes far longer than one prediction,
    and leaves holes in the memory of the GPU.

    ## What to do
    Load it once, when the program starts or before the loop, and use it each time. In Streamlit put the load into a function
    with `@st.cache_resource`. In a dataset load it in `__init__`.

    ## When it is fine
    Each pass loads another model. The model is trained or changed, so that each pass needs a fresh one. A cache keeps it. The
    file is written anew.
    """

    code, slug = "GN103", "model-loaded-in-hot-path"
    impact = Impact.HIGH
    root_cause = "inefficient-api-usage"
    symptoms = ("slow-execution-time", "memory-leak", "abnormal-gpu-memory-usage")
    stages = ("prediction", "evaluation")
    frameworks = {
        "tensorflow": ">=1.4",
        "keras": ">=2.0",
        "torch": ">=0.4",
        "transformers": ">=2.0",
        "jax": ">=0.2",
    }
    evidence = (
        "https://docs.streamlit.io/develop/concepts/architecture/caching",
        "https://fastapi.tiangolo.com/advanced/events/",
        "https://stackoverflow.com/questions/63033923",
        "https://stackoverflow.com/questions/57928619",
    )
    since = "0.1"
    yields_to = ("KR101",)
    cost = Cost(
        "Each time the weights are read and the model is built, before any work is done.",
        None,
        "benches/rules/gn103.py",
    )

    examples = (
        Bad(
            """
            from fastapi import FastAPI
            from transformers import pipeline

            app = FastAPI()

            @app.post("/classify")
            def classify(text: str):
                classifier = pipeline("sentiment-analysis")  # <- GN103
                return classifier(text)
            """
        ),
        Bad(
            """
            import torch

            class Scorer:
                def __init__(self, path):
                    self.model = torch.jit.load("scorer.pt")  # <- GN103

                def score(self, batch):
                    return self.model(batch)

            def score_all(batches):
                return [Scorer("scorer.pt").score(batch) for batch in batches]
            """
        ),
        Good(
            """
            import torch

            def compare(paths, batch):
                for path in paths:
                    model = torch.jit.load(path)
                    print(path, model(batch))
            """,
            why="each pass loads another model",
        ),
        Good(
            """
            from functools import lru_cache

            from fastapi import FastAPI
            from transformers import pipeline

            app = FastAPI()

            @lru_cache
            def classifier():
                return pipeline("sentiment-analysis")

            @app.post("/classify")
            def classify(text: str):
                return classifier()(text)
            """,
            why="the first request loads it, the others find it in the cache",
        ),
    )

    @call(*loading.LOADERS)
    def loaded(self, site: Site) -> Iterator[Finding]:
        """Report a load that runs again and again and gives the same each time."""
        found = loading.what(site)
        if found is None or site.has_unpacking or (site.region is not None and site.region.mode in _ONCE):
            return
        for around in passes.repeating(site):
            finding = self._in_loop(site, found, around)
            if finding is not None:
                yield finding
                return
        handler = site.project.handlers.of(site.located)
        if handler is not None:
            yield from self._handled(site, found, handler)

    def _in_loop(self, site: Site, found: loading.Loaded, around: Around) -> Finding | None:
        parts = loading.sources(site)
        sure = [level for part in parts if (level := _sameness(part, site, around)) is not None]
        calls = site.project.models.calls_in(around)
        if loading.is_collected(site, around) or loading.is_own_each_time(site, calls):
            return None
        if len(sure) < len(parts):
            return None
        loop = around.loop.place("the loop")
        chain = passes.chain_places(around)
        return self.found(
            site,
            f"`{site.spelled}` loads the same {found.words} on each pass of the loop on {site.line_of(loop)}",
            advice=f"Load the {found.words} once, before the loop, and use it on each pass.",
            because=(loop, *chain),
            confidence=min(sure) if around.is_certain else min(*sure, Confidence.MEDIUM),
            impact=Impact.LOW if loading.frees(calls) else _in_loop_impact(found, around),
            related=(loop, *chain),
        )

    def _handled(self, site: Site, found: loading.Loaded, handler: Handler) -> Iterator[Finding]:
        function = handler.function
        calls = site.project.calls.of_scope(site.scope)
        if function is not None:
            calls = [*calls, *site.project.models.calls_under(function)]
        if loading.is_own_each_time(site, calls) or loading.is_put_away(site):
            return
        if not all(site.project.fixed.of(part, site.scope) for part in loading.sources(site)):
            return
        yield self.found(
            site,
            f"`{site.spelled}` loads the same {found.words} on each {handler.words}",
            advice=_advice(handler, found.words),
            because=(handler.place,),
            confidence=Confidence.HIGH if function is not None else Confidence.MEDIUM,
            impact=found.impact,
            related=(handler.place,),
            hot=Hot.PER_REQUEST if handler.kind == "request" else Hot.UNKNOWN,
        )


def _sameness(part: ast.expr, site: Site, around: Around) -> Confidence | None:
    """Return how sure it is that an argument is the same on each pass, None if it may be another one.

    What names a file cannot be changed in place, so that only what sets its names counts against it.
    """
    proof = site.project.invariance.of(part, site.scope, around.loop, around.chain)
    is_fixed = site.project.fixed.of(part, site.scope)
    if proof is None:
        return Confidence.MEDIUM if is_fixed else None
    if is_fixed or (not around.chain and _is_set_outside(part, around.loop)):
        return max(proof.confidence, Confidence.MEDIUM)
    return proof.confidence


def _is_set_outside(part: ast.expr, loop: Loop) -> bool:
    """Tell whether an expression is made of names alone that a loop does not set."""
    names = {node.id for node in ast.walk(part) if isinstance(node, ast.Name)}
    inside = [] if isinstance(loop.node, ast.comprehension) else list(ast.walk(loop.node))
    stored = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return not names & stored and not any(isinstance(node, ast.Call) for node in ast.walk(part))


def _in_loop_impact(found: loading.Loaded, around: Around) -> Impact:
    """A loop that is known to be long, or runs over data, makes it dear; other loops may be short."""
    is_long = around.loop.trips is Trips.MANY or around.loop.kind is LoopKind.DATA
    return found.impact if is_long else min(found.impact, Impact.MEDIUM)


def _advice(handler: Handler, words: str) -> str:
    if "Streamlit" in handler.words:
        return f"Load the {words} in a function with `@st.cache_resource`: it runs once."
    if handler.kind == "request":
        return f"Load the {words} once, when the program starts, and use it for each request."
    return f"Load the {words} once, in `__init__` or at the top of the module, and use it each time."
