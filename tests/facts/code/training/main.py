"""A trainer in several files: fields of base classes, calls across files, loops of callers."""

import functools

import lib.steps as steps
import tensorflow as tf
from lib import models
from lib.base import Base, Logs, make
from lib.data import Loader, load, pair, prepare
from lib.steps import hooked, train_step


class Trainer(Logs, Base):  #? bases: main.Trainer, lib.base.Logs, lib.base.Base, lib.base.Root
    def __init__(self, model, size: int):
        super().__init__(model)
        self.train_data = load("train")
        self.size = size
        self.built = False

    def setup(self):
        self.later = prepare(self.train_data)
        self.other = self.train_data.map(f)

    def fit(self, epochs):
        self.train_data  #? pipeline: TFRecordDataset
        self.later  #? pipeline: TFRecordDataset.map.batch
        self.other.batch(2)  #? pipeline: TFRecordDataset.map.batch
        self.base_data  #? pipeline: range.batch
        self.root_data  #? pipeline: range
        self.classwide  #? pipeline: from_tensors
        self.mixed  #? value: tensor
        self.optimizer  #? value: optimizer
        self.model  #? value: unknown
        self.missing  #? value: unknown
        self.size  #? value: number
        self.built  #?! value: bool
        self.prepared()  #? pipeline: range.batch.prefetch
        self.lazily  #? pipeline: range.batch.cache
        for epoch in range(epochs):  #? loop: epochs many
            self.on_epoch()  #? calls: lib.base.Logs.on_epoch #? hot: per-epoch
            for batch in self.train_data:  #? loop: data many
                self.step(batch)  #? calls: main.Trainer.step #? hot: per-batch
                self.log(batch)  #? calls: lib.base.Logs.log
                self.super_step(batch)
                train_step(self.model, batch)  #? calls: lib.steps.train_step
                steps.train_step(self.model, batch)  #? calls: lib.steps.train_step
                tf.constant(self.size)  #? invariant: high
                tf.constant(self.epochs_seen)  #? invariant: no
                tf.constant(self.logged)  #? invariant: no
                tf.constant(self.untouched)  #? invariant: high

    def step(self, batch):  #? callers: main.Trainer.fit | main | handed on in main
        batch  #? value: tensor | unknown
        tf.nn.relu(batch)  #? hot: per-batch

    def super_step(self, batch):
        super().step(batch)  #? calls: lib.base.Base.step
        super().log(batch)  #? calls: lib.base.Logs.log
        super(Trainer, self).step(batch)  #? calls: lib.base.Base.step
        Base.step(self, batch)  #? calls: lib.base.Base.step


trainer = Trainer(models.build(), 3)  #? calls: main.Trainer.__init__
trainer  #? value: instance Trainer
trainer.fit(30)  #? calls: main.Trainer.fit
trainer.step(x)  #? calls: main.Trainer.step
trainer.train_data  #? pipeline: TFRecordDataset
trainer.root()  #? calls: lib.base.Root.root
trainer.missing()  #? calls: none
trainer.helper.run()  #? calls: lib.base.Helper.run
make()  #? value: instance Helper
make().run()  #? calls: lib.base.Helper.run
models.build()  #? value: model
models.build()(x)  #? value: tensor
models.Net()(x)  #? calls: lib.models.Net.call #? value: tensor
models.Net().call(x)  #? calls: lib.models.Net.call
models.Plain()(x)  #? calls: lib.models.Plain.__call__
load("x").map(f)  #? pipeline: TFRecordDataset.map
prepare(load("x"))  #? pipeline: TFRecordDataset.map.batch
train, test = pair()
test.repeat()  #? pipeline: TFRecordDataset.map.batch.repeat
Loader("x").dataset  #? pipeline: TFRecordDataset
Loader("x").batched(3)  #? pipeline: TFRecordDataset.batch
Loader.make("x").batched(3)  #? pipeline: TFRecordDataset.batch
Loader("x")()  #? pipeline: TFRecordDataset.shuffle

bound = trainer.step
bound(x)  #? calls: main.Trainer.step
functools.partial(train_step, x)(y)  #? calls: lib.steps.train_step
partial = functools.partial(trainer.step, x)
partial()  #? calls: main.Trainer.step
chosen = train_step if cond else steps.eval_step
chosen(x, y)  #? calls: lib.steps.train_step | lib.steps.eval_step
table = {"train": train_step, "eval": steps.eval_step}
table["train"](x, y)  #?! calls: lib.steps.train_step
hooked(train_step)
functions = [train_step, steps.eval_step]
for function in functions:
    function(x, y)  #? calls: lib.steps.train_step | lib.steps.eval_step
getattr(steps, "eval_step")(x, y)  #? calls: lib.steps.eval_step
(lambda: train_step(x, y))()  #? calls: none

with tf.GradientTape():
    for batch in load("x"):
        steps.eval_step(x, batch)  #? hot: per-batch
