"""How often places run."""

import tensorflow as tf
import torch

loader = torch.utils.data.DataLoader(things)
f(x)  #? hot: unknown

for batch in loader:
    f(x)  #? hot: per-batch
    [f(x) for i in range(3)]  #? hot of f(x): per-batch
    if cond:
        f(x)  #? hot: per-batch
    for i in range(3):
        f(x)  #? hot: per-batch
    g = lambda: f(x)  #?! hot of f(x): per-batch
    g()
else:
    f(x)  #? hot: unknown

for epoch in range(100):
    f(x)  #? hot: per-epoch
    for batch in loader:
        f(x)  #? hot: per-batch
    f(x)  #? hot: per-epoch
    for batch in dataset:
        f(x)  #? hot: per-epoch

for batch in loader:
    f(x)  #? hot: unknown
    break

for i in range(1000):
    f(x)  #? hot: unknown

for i in range(1000):
    f(x)  #? hot: per-batch
    loss.backward()
    optimizer.step()

for i in range(1000):
    f(x)  #? hot: per-batch
    model.train_on_batch(x, y)

for i in range(3):
    f(x)  #? hot: unknown
    model.train_on_batch(x, y)

while True:
    f(x)  #? hot: per-batch
    optimizer.apply_gradients(x)

for name in ["a", "b"]:
    for batch in loader:
        f(x)  #? hot: per-batch
    f(x)  #? hot: unknown

for i in range(1000):
    f(x)  #? hot: per-batch
    step_function(batch)


def step_function(batch):
    f(x)  #? hot: per-batch
    loss.backward()


def called_once():
    f(x)  #? hot: unknown


called_once()


def called_per_batch():
    f(x)  #? hot: per-batch
    called_deeper()

    def inner():
        f(x)  #? hot: per-batch

    inner()

    def never():
        f(x)  #? hot: unknown


def called_deeper():
    f(x)  #? hot: per-batch
    called_deepest()


def called_deepest():
    f(x)  #? hot: per-batch
    called_too_deep()


def called_too_deep():
    f(x)  #? hot: unknown


def called_per_epoch():
    f(x)  #? hot: per-epoch
    for batch in loader:
        f(x)  #? hot: per-batch


def handed_on():
    f(x)  #? hot: unknown


def recursive(n):
    f(x)  #? hot: unknown
    recursive(n - 1)


for epoch in range(100):
    called_per_epoch()
    for batch in loader:
        called_per_batch()
        run(handed_on)


def generator():
    f(x)  #? hot: unknown
    for batch in loader:
        f(x)  #? hot: per-batch
        yield batch


for batch in generator():
    pass


@decorated
def with_decorator():
    f(x)  #? hot: per-batch


for batch in loader:
    with_decorator()


class Thing:
    def __init__(self):
        f(x)  #? hot: per-batch

    def __call__(self):
        f(x)  #? hot: unknown


for batch in loader:
    Thing()


def train(loader):
    for batch in loader:
        f(x)  #? hot: per-batch


train(torch.utils.data.DataLoader(things))


def train_unknown(loader):
    for batch in loader:
        f(x)  #? hot: unknown


if __name__ == "__main__":
    for batch in loader:
        f(x)  #? hot: per-batch
