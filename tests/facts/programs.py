"""Small random programs, for tests that ask the facts about code nobody thought of."""

from __future__ import annotations

from hypothesis import strategies as st

# What every program starts with: functions and objects with all kinds of effects.
PROLOGUE = """
from functools import partial


class Box:
    def __init__(self, n=0, items=None):
        self.n = n
        self.items = [n] if items is None else items

    def bump(self):
        self.n += 1

    def put(self, v):
        self.items.append(v)

    def get(self):
        return self.n

    @property
    def size(self):
        return len(self.items)

    @property
    def level(self):
        return self.n

    @level.setter
    def level(self, v):
        self.n = v

    def __enter__(self):
        self.n += 1
        return self

    def __exit__(self, *caught):
        self.items.append(self.n)

    def __iter__(self):
        self.n += 1
        yield self.items

    def __getitem__(self, v):
        self.items.append(v)
        return v


class Loud(Box):
    def bump(self):
        super().bump()
        self.items.append(self.n)


def push(xs, v=1):
    xs.append(v)


def push_deep(xs):
    push(xs, 2)


def same(x):
    return x


def add(x, y=1):
    return x + y


def keep(box, xs):
    box.items = xs


def each(*parts):
    for part in parts:
        yield part


def run(f):
    return f()


def tick():
    global total
    total += 1
    return total


total = 0
shared = [0]
"""
_NUMBERS = st.sampled_from(["a", "b", "c", "total"])
_LISTS = st.sampled_from(["xs", "ys", "shared"])
_BOXES = st.sampled_from(["o", "p"])
_FUNCTIONS = st.sampled_from(["f", "g"])


def _form(text: str, **parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.fixed_dictionaries(parts).map(lambda chosen: text.format(**chosen))


def _forms(texts: str, **parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    lines = [line.strip() for line in texts.strip().splitlines()]
    return st.sampled_from(lines).flatmap(
        lambda line: _form(line, **{name: part for name, part in parts.items() if "{" + name + "}" in line})
    )


EXPRESSIONS = _forms(
    """
    {n}
    {n}
    {m} + {n}
    {x}
    {x}[0]
    {x}[-1]
    len({x})
    sum({x})
    {o}.n
    {o}.items
    {o}.items[0]
    {o}.size
    {o}.get()
    add({n})
    add({m}, {n})
    same({x})
    d["k"]
    d.get("k")
    {f}()
    [v + {n} for v in {x}]
    [v for v in {x} if v > {n}]
    (lambda v: v + {n})(1)
    {n} if {m} else 3
    ({x}, {n})
    f"{{{n}}}"
    tick()
    run(lambda: {n})
    """,
    n=_NUMBERS,
    m=_NUMBERS,
    x=_LISTS,
    o=_BOXES,
    f=_FUNCTIONS,
)
SIMPLE = _forms(
    """
    {n} = {m}
    {n} = {m} + 1
    {n} = i
    {n} = 7
    {n} += 1
    {n}, {m} = {m}, {n}
    {n}: int = {m}
    {n} = {x}[0]
    {n} = {o}.n
    {x}.append({n})
    {x}[0] = {n}
    {x}[0] += 1
    {x} += [{n}]
    {x} = {x} + [{n}]
    {x} = {y}
    {x} = [{n}]
    {x} = {o}.items
    {x} = same({y})
    {x}.sort()
    {x}.extend([{n}])
    del {x}[1:]
    {x}[:] = [{n}]
    {o}.items = {x}
    {o}.items.append({n})
    {o}.level = {n}
    {o}.__dict__["n"] = {n}
    {o}[{n}]
    with {o} as {q}: pass
    for v in {o}: v.append({n})
    for v in each({x}, {y}): v.append({n})
    same({x}).append({n})
    Box({n}, {x}).put({n})
    {f} = {x}.copy
    {f} = {x}.clear
    {f} = partial(push, {x})
    (lambda v: v.append({n}))({x})
    list(map(push, [{x}]))
    {o}.n = {n}
    {o}.n += 1
    {o}.bump()
    {o}.put({n})
    {o} = {q}
    {o} = Box({n})
    {o} = Loud({n}, {x})
    keep({o}, {x})
    push({x})
    push({x}, {n})
    push(xs={x}, v={n})
    push_deep({x})
    push(*[{x}])
    tick()
    run({o}.bump)
    run(lambda: {x}.append({n}))
    {f} = lambda: {n}
    {f} = lambda: {x}.append({n})
    {f} = {o}.bump
    {f} = {o}.get
    {f} = tick
    {f}()
    d["k"] = {n}
    d["k"] = {x}
    d["l"] = d.get("k")
    [{x}.append(v) for v in (1, 2)]
    ({x} if {n} else {y}).append({n})
    [{x}][0].append({n})
    {{"k": {x}}}["k"].append({n})
    setattr({o}, "n", {n})
    if ({n} := {m}): pass
    for v in [{x}, {y}]: v.append({n})
    for {n} in {x}[:3]: pass
    {n} = [{m} for {m} in {x}][0]
    """,
    n=_NUMBERS,
    m=_NUMBERS,
    x=_LISTS,
    y=_LISTS,
    o=_BOXES,
    q=_BOXES,
    f=_FUNCTIONS,
)


def _indented(lines: list[str]) -> str:
    return "\n".join("    " + line for text in lines for line in text.splitlines())


# Every loop ends by itself, and no function that may call itself catches what it raises.
def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    block = st.lists(inner, min_size=1, max_size=2).map(_indented)
    plain = st.lists(SIMPLE, min_size=1, max_size=2).map(_indented)
    condition = st.sampled_from(["i", "i > 0", "a", "len(xs) > 2", "o.n"])
    return st.one_of(
        _form("if {c}:\n{a}", c=condition, a=block),
        _form("if {c}:\n{a}\nelse:\n{b}", c=condition, a=block, b=block),
        _form("for j in range(2):\n{a}", a=block),
        _form("try:\n{a}\nexcept IndexError:\n{b}", a=block, b=block),
        _form("try:\n{a}\nfinally:\n{b}", a=block, b=block),
        _form("if {c}:\n{a}\n    continue", c=condition, a=block),
        _form("def {f}():\n{a}", f=_FUNCTIONS, a=plain),
        _form("def {f}():\n    nonlocal a\n    a += 1\n{a}", f=_FUNCTIONS, a=plain),
        _form("while {n} < 2:\n{a}\n    break", n=_NUMBERS, a=plain),
        _form("match {n}:\n    case 0:\n        pass\n    case {m}:\n        pass", n=_NUMBERS, m=_NUMBERS),
    )


STATEMENTS = st.recursive(SIMPLE, _compound, max_leaves=4)


_START = """
a, b, c = 0, 1, 2
xs, ys, d = [0], [1], {"k": 0}
o, p = Box(1), Box(2)
f, g = tick, tick
i = 0
""".strip()
_PASSED = "i, a, b, c, xs, ys, d, o, p, f, g"


@st.composite
def looping(draw: st.DrawFn) -> str:
    """Return a program with `for i in range(3)`; the expressions to ask about are annotations of `probe`.

    The loop stands in the module, in a function, or calls the function that the expressions stand in.
    """
    before = draw(st.lists(STATEMENTS, max_size=3))
    probe = _form("probe: {e}", e=EXPRESSIONS)
    body = draw(st.lists(st.one_of(STATEMENTS, STATEMENTS, probe), min_size=1, max_size=4))
    body.insert(draw(st.integers(0, len(body))), draw(probe))
    place = draw(st.sampled_from(["module", "function", "callee"]))
    if place == "module":
        text = "\n".join([PROLOGUE, _START, *before, "for i in range(3):", _indented(body)])
        return text.replace("nonlocal", "global") + "\n"
    if place == "function":
        lines = ["global shared", _START, *before, "for i in range(3):", _indented(body)]
        return f"{PROLOGUE}\ndef main():\n{_indented(lines)}\n\nmain()\n"
    again = draw(st.lists(STATEMENTS, max_size=1))
    lines = ["global shared", _START, *before, "for i in range(3):", _indented([f"step({_PASSED})", *again])]
    callee = _indented(["global shared", *body]).replace("continue", "return")
    return f"{PROLOGUE}\ndef step({_PASSED}):\n{callee}\n\ndef main():\n{_indented(lines)}\n\nmain()\n"
