"""What keeps a call in a loop from running on each pass."""

for i, batch in enumerate(batches):
    f(x)  #? guard: none
    if i == 0:
        f(x)  #? guard: first-pass
    else:
        f(x)  #? guard: none
    if not i:
        f(x)  #? guard: first-pass
    if i < 1:
        f(x)  #? guard: first-pass
    if i != 0:
        f(x)  #? guard: none
    else:
        f(x)  #? guard: first-pass
    if 0 == i:
        f(x)  #? guard: first-pass
    if i % 100 == 0:
        f(x)  #? guard: sometimes
    if i % 100 == 99:
        f(x)  #? guard: sometimes
    if (i + 1) % n == 0:
        f(x)  #? guard: sometimes
    if not i % 100:
        f(x)  #? guard: sometimes
    if i % 100 != 0:
        f(x)  #? guard: none
    if i and i % 100 == 0:
        f(x)  #? guard: sometimes
    if i % 2 == 0 or always:
        f(x)  #? guard: none
    if i == 0 or always:
        f(x)  #? guard: none
    if model is None:
        f(x)  #? guard: first-pass
    if model is not None:
        f(x)  #? guard: none
    else:
        f(x)  #? guard: first-pass
    if not hasattr(self, "built"):
        f(x)  #? guard: first-pass
    if not self.built:
        f(x)  #? guard: first-pass
    if key not in cache:
        f(x)  #? guard: first-pass
    if key in cache:
        f(x)  #? guard: none
    else:
        f(x)  #? guard: first-pass
    if batch is None:
        f(x)  #? guard: none
    if word not in batch:
        f(x)  #? guard: none
    if batch.kind == 3:
        f(x)  #? guard: none
    if self.verbose:
        f(x)  #? guard: switch
    if debug:
        f(x)  #? guard: switch
    if args.debug:
        f(x)  #? guard: switch
    if first:
        f(x)  #? guard: first-pass
    if cond:
        f(x)  #? guard: none
    try:
        f(x)  #? guard: none
    except ValueError:
        f(x)  #? guard: handler
    else:
        f(x)  #? guard: none
    finally:
        f(x)  #? guard: none
    if i == 0:
        for other in others:
            f(x)  #? guard: none
        with open(x) as file:
            f(x)  #? guard: first-pass
    if debug and i % 10 == 0:
        f(x)  #? guard: switch
    while cond:
        f(x)  #? guard: none


def called():
    f(x)  #? guard: first-pass


for i in range(100):
    if i == 0:
        called()


def guards_itself(step):
    if step % 100 == 0:
        f(x)  #? guard: sometimes


for i in range(100):
    guards_itself(i)


def changed(sizes, session, variable):
    before = None
    for size in sizes:
        if size != before:
            f(size)  #? guard: changed
            before = size
        if before is None or size != before:
            f(size)  #? guard: changed
            before = size
        if size != limit:
            f(size)  #? guard: none
        if not size:
            f(size)  #? guard: none
