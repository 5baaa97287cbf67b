"""Loops: what they run over and how often."""

import tensorflow as tf
import torch
from tqdm import tqdm, trange
from tqdm.auto import tqdm as bar

N = 100
FEW = 3
CHANGED = 5
SIZES = [16, 32, 64]


def change():
    global CHANGED
    CHANGED = read()


for i in range(100):  #? loop: counted many
    pass
for i in range(10):  #? loop: counted few
    pass
for i in range(11):  #? loop: counted many
    pass
for i in range(1):  #? loop: counted once
    pass
for i in range(0):  #? loop: counted once
    pass
for i in range(2, 6):  #? loop: counted few
    pass
for i in range(0, 1000, 500):  #? loop: counted few
    pass
for i in range(10, 0, -1):  #? loop: counted few
    pass
for i in range(n):  #? loop: counted unknown
    pass
for i in range(N):  #? loop: counted many
    pass
for i in range(FEW):  #? loop: counted few
    pass
for i in range(CHANGED):  #? loop: counted unknown
    pass
for i in range(N + 1):  #? loop: counted many
    pass
for i in range(99999999999 * 99999999999):  #? loop: counted many
    pass
for i in range(len(SIZES)):  #? loop: counted few
    pass
for i in xrange(50):  #? loop: counted many
    pass
for i in range(0, 10, 0):  #? loop: counted unknown
    pass
for i in range(*bounds):  #? loop: counted unknown
    pass
for i in enumerate(range(100)):  #? loop: counted many
    pass
for i in reversed(range(100)):  #? loop: counted many
    pass
for i in tqdm(range(100)):  #? loop: counted many
    pass
for i in bar(range(3), desc="x"):  #? loop: counted few
    pass
for i in trange(100):  #? loop: counted many
    pass
for i in list(range(4)):  #? loop: counted few
    pass
for i in np.arange(100):  #? loop: other unknown
    pass
for i in itertools.count():  #? loop: other unknown
    pass

for epoch in range(5):  #? loop: epochs few
    pass
for epoch in range(N):  #? loop: epochs many
    pass
for _epoch in range(n):  #? loop: epochs unknown
    pass
for epoch in epochs:  #? loop: epochs unknown
    pass

for name in ["a", "b"]:  #? loop: literal few
    pass
for name in ("a",):  #? loop: literal once
    pass
for name in {1, 2, 3}:  #? loop: literal few
    pass
for name in SIZES:  #? loop: literal few
    pass
for index, size in enumerate(SIZES):  #? loop: literal few
    pass
for name in sorted(["a", "b"]):  #? loop: literal few
    pass
for key in {"a": 1, "b": 2}:  #? loop: literal few
    pass
for key, value in {"a": 1, "b": 2}.items():  #? loop: literal few
    pass
for letter in "abc":  #? loop: few
    pass
for name in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]:  #? loop: literal many
    pass
for name in [*names]:  #? loop: unknown
    pass
for a, b in zip([1, 2], [3, 4]):  #?! loop: literal few
    pass
for name in []:  #? loop: literal
    pass


def grows():
    found = []
    for item in items:
        found.append(item)
    for item in found:  #? loop: unknown
        pass


dataset = tf.data.Dataset.range(1000).batch(8)
loader = torch.utils.data.DataLoader(things, batch_size=4)
for batch in dataset:  #? loop: data many
    pass
for batch in loader:  #? loop: data many
    pass
for step, batch in enumerate(dataset):  #? loop: data many
    pass
for batch in tqdm(loader, total=3):  #? loop: data many
    pass
for step, batch in enumerate(tqdm(loader)):  #? loop: data many
    pass
for step, batch in tqdm(enumerate(loader)):  #? loop: data many
    pass
for batch in dataset.take(1):  #? loop: data once
    pass
for batch in dataset.take(-1):  #? loop: data many
    pass
for batch in dataset.take(n):  #? loop: data many
    pass
for batch in dataset.take(3):  #? loop: data few
    pass
for batch in dataset.as_numpy_iterator():  #? loop: data many
    pass
for batch in iter(dataset):  #? loop: data many
    pass
for a, b in zip(dataset, loader):  #?! loop: data many
    pass
for step, (a, b) in enumerate(zip(dataset, loader)):  #?! loop: data many
    pass
for batch in make_batches():  #? loop: other unknown
    pass
for batch in itertools.islice(loader, 3):  #? loop: unknown
    pass

while True:  #? loop: while unknown
    step()
while cond:  #? loop: while unknown
    step()
while True:  #? loop: while once
    step()
    break
while index < 10:  #? loop: while unknown
    index += 1

for batch in dataset:  #? loop: data once
    shape = batch.shape
    break
for batch in dataset:  #? loop: data many
    if bad:
        continue
    break
for batch in dataset:  #? loop: data many
    if bad:
        break
for batch in dataset:  #? loop: data once
    for part in batch:  #? loop: unknown
        if part:
            continue
    break
for batch in dataset:  #? loop: data once
    if cond:
        first()
        break
    else:
        second()
        break
for batch in dataset:  #? loop: data once
    with tf.device("cpu"):
        use(batch)
        break
for batch in dataset:  #? loop: data once
    raise ValueError


def filled_dict():
    table = {}
    for name in names:
        table[name] = 1
    for name in table:  #? loop: unknown
        pass
    for name, value in table.items():  #? loop: unknown
        pass


def returns():
    for batch in dataset:  #? loop: data once
        return batch


def returns_sometimes():
    for batch in dataset:  #? loop: data many
        if batch:
            return batch


def counted(count=3):
    for i in range(count):  #? loop: counted unknown
        pass
    count = 4
    for i in range(count):  #? loop: counted few
        pass
    if cond:
        count = 100
    for i in range(count):  #? loop: counted unknown
        pass


class Config:
    steps = 500

    def run(self, n: int = 5):
        for i in range(self.steps):  #? loop: counted many
            pass
        for i in range(n):  #? loop: counted unknown
            pass


[f(i) for i in range(100)]  #? loop: counted many
[f(i) for i in (1, 2, 3)]  #? loop: literal few
{k: f(k) for k in dataset}  #? loop: data many
sum(f(b) for b in loader)  #? loop: data many

dataset = None
for batch in dataset:  #? loop: other unknown
    pass
