"""TF205: a cache stands where it cannot help."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Finding,
    Good,
    Hot,
    Impact,
    Place,
    Rule,
    Site,
    Step,
    method,
)
from deepperf.rules.tensorflow import caching


class MisplacedCache(Rule):
    """A cache stands where it cannot help: behind an endless `repeat`, before the work, or in front of `take`.

    ## Why it is slow
    A cache keeps what comes before it, and is complete once all of that was read to its end. Behind `repeat()` there is no end:
    it grows until the memory is full. In front of the decoding it keeps file names, and the decoding runs in each epoch.
    In front of `take` it is never read to its end: what it holds is thrown away, and made again in each epoch.

    ## What to do
    Keep this order: read, parse and decode, `cache`, `shuffle`, `repeat`, random augmentation, `batch`, `prefetch`. Use `take`
    before `cache`.

    ## When it is fine
    The data is too large to be kept decoded. The dataset is read only once. `take` only looks at some elements.
    """

    code, slug = "TF205", "misplaced-cache"
    impact = Impact.MEDIUM
    root_cause = "inefficient-api-usage"
    symptoms = ("slow-execution-time", "out-of-memory", "memory-leak")
    stages = ("data-preparation",)
    frameworks = {"tensorflow": ">=1.4"}
    evidence = (
        "https://www.tensorflow.org/guide/data_performance#caching",
        "https://www.tensorflow.org/api_docs/python/tf/data/Dataset#cache",
        "benches/rules/tf205.py",
    )
    since = "0.1"
    cost = Cost(
        "The work that the cache was meant to save is done again in each epoch, or the memory grows without end.",
        None,
        "benches/rules/tf205.py",
    )

    examples = (
        Bad(
            """
            import tensorflow as tf

            def training_data(records, parse):
                ds = tf.data.TFRecordDataset(records).map(parse)
                return ds.shuffle(1000).repeat().cache().batch(32)  # <- TF205
            """
        ),
        Bad(
            """
            import tensorflow as tf

            def decode(path):
                return tf.io.decode_jpeg(tf.io.read_file(path), channels=3)

            def training_data(paths):
                ds = tf.data.Dataset.from_tensor_slices(paths).cache()  # <- TF205
                return ds.map(decode).shuffle(100).batch(32)
            """
        ),
        Good(
            """
            import tensorflow as tf

            def decode(path):
                return tf.io.decode_jpeg(tf.io.read_file(path), channels=3)

            def training_data(paths):
                ds = tf.data.Dataset.from_tensor_slices(paths).map(decode).cache()
                return ds.shuffle(1000).repeat().batch(32)
            """,
            why="the decoded images are kept, and what follows is done anew in each epoch",
        ),
        Good(
            """
            import tensorflow as tf

            def look(records, parse):
                ds = tf.data.TFRecordDataset(records).map(parse).cache()
                for element in ds.take(100):
                    print(element)
            """,
            why="this only looks at some elements, once",
        ),
    )

    @method("cache", on="dataset")
    def misplaced(self, site: Site) -> Iterator[Finding]:
        """Report a cache by what comes before it."""
        before = [path[:-1] for known in site.steps for path in known.paths()]
        endless = [step for path in before if (step := caching.endless(path, site)) is not None]
        # Behind a condition of its own, a cache may be left out just where the data is repeated.
        guarded = any(step.kind in ("if", "else") for step in site.located.context.within_function())
        if endless and not (guarded and len(endless) < len(before)):
            yield self._after_repeat(site, endless[0])
        elif before and all(caching.is_source_only(path) for path in before):
            yield from self._before_the_work(
                site, is_listing=any(path[0].short == "list_files" for path in before)
            )
        elif not any(step.short == "shuffle" for step in caching.steps_after(site)):
            varying = (step for path in before if (step := caching.varying(path, site)) is not None)
            yield from (self._frozen(site, step) for step in list(varying)[:1])

    def _after_repeat(self, site: Site, repeat: Step) -> Finding:
        place = _place(repeat, "repeated without end here")
        kept = "memory" if site.argument("filename") is None else "a file"
        return self.found(
            site,
            f"this cache comes after repeat() ({site.line_of(place)}): it takes all elements into {kept} again and again, "
            "and never gives one back",
            advice="Put cache before repeat, and before shuffle.",
            because=(place,),
            impact=Impact.HIGH if kept == "memory" else None,
            related=(place,),
            hot=Hot.PER_EXAMPLE,
        )

    def _before_the_work(self, site: Site, *, is_listing: bool) -> Iterator[Finding]:
        """Report a cache in front of all work; it matters where heavy work that never varies comes behind it."""
        after = caching.steps_after(site)
        work = next((step for step in after if caching.is_heavy_and_constant(step, site)), None)
        if any(step.short in ("cache", "snapshot") for step in after) or (is_listing and work is None):
            return
        place = _place(work, "the work is done here") if work is not None else None
        if place is not None:
            rest = f"the map behind it ({site.line_of(place)}) does its work again in each epoch"
            advice = "Put cache behind the map if its results fit in memory, else leave it out."
        else:
            rest, advice = "it saves nothing", "Leave the cache out."
        yield self.found(
            site,
            f"this cache comes before any work of the pipeline: {rest}",
            advice=advice,
            because=(place,) if place is not None else (site.place("no work is done before it"),),
            impact=None if place is not None else Impact.LOW,
            related=(place,) if place is not None else (),
            hot=Hot.PER_EPOCH,
        )

    def _frozen(self, site: Site, step: Step) -> Finding:
        place = _place(step, "this varies")
        what = "order" if step.short == "shuffle" else "random draw"
        return self.found(
            site,
            f"this cache keeps one {what} of the {step.short} before it ({site.line_of(place)}): all epochs are the same",
            advice=f"Put cache before the {step.short}, if each epoch is to differ.",
            because=(place,),
            impact=Impact.LOW,
            related=(place,),
            hot=Hot.PER_EPOCH,
        )

    @method("take", on="dataset")
    def taken_from_cache(self, site: Site) -> Iterator[Finding]:
        """Report a `take` behind a cache, where the elements are read more than once."""
        cache = caching.cache_read_in_part(site)
        again = caching.read_again(site) if cache is not None else None
        if cache is None or again is None:
            return
        place = _place(cache, "the cache")
        yield self.found(
            site,
            f"`take` stops before the end of the cache ({site.line_of(place)}): what it holds is thrown away in each epoch",
            advice="Put take before cache.",
            because=(place, again),
            confidence=Confidence.MEDIUM,
            related=(place, again),
            hot=Hot.PER_EPOCH,
        )


def _place(step: Step, message: str) -> Place:
    node = step.call.func if isinstance(step.call, ast.Call) else step.call
    return step.scope.module.source.place(node, message)
