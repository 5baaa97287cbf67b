"""What keeps its value in a loop: variables, tensors and arrays that training changes."""

import random
import numpy as np
import tensorflow as tf
import torch


def draws():
    return random.random()


def changed_by_numpy(loader):
    array = np.zeros(3)
    out = np.zeros(3)
    filled = np.zeros(3)
    sorted_ = np.zeros(3)
    shuffled = np.zeros(3)
    for batch in loader:
        np.copyto(array, batch)
        np.add(batch, 1, out=out)
        filled.fill(batch)
        sorted_.sort()
        np.random.shuffle(shuffled)
        tf.constant(array)  #? invariant: no
        tf.constant(out)  #? invariant: no
        tf.constant(filled)  #? invariant: no
        tf.constant(shuffled)  #? invariant: no
        tf.constant(sorted_)  #? invariant of sorted_: no


def changed_variable(loader):
    v = tf.Variable(0.0)
    w = tf.Variable(0.0)
    fixed = tf.Variable(0.0)
    for batch in loader:
        v.assign(batch)
        w.assign_add(1.0)
        tf.identity(v)  #? invariant: no
        tf.identity(w)  #? invariant: no
        v + 1  #? invariant: no
        tf.identity(fixed)  #? invariant: high


def changed_by_training(loader, model, optimizer):
    w = tf.Variable(0.0)
    for batch in loader:
        with tf.GradientTape() as tape:
            loss = model(batch)
        grads = tape.gradient(loss, [w])
        optimizer.apply_gradients(zip(grads, [w]))
        tf.identity(w)  #? invariant: no


def changed_torch(loader):
    t = torch.zeros(3)
    u = torch.zeros(3)
    k = torch.zeros(3)
    for batch in loader:
        t.add_(1)
        u[0] = 3
        torch.relu(t)  #? invariant: no
        torch.relu(u)  #? invariant: no
        torch.relu(k)  #? invariant: high


def changed_torch_in_place(loader):
    a = torch.zeros(3)
    b = torch.zeros(3)
    c = torch.zeros(3)
    d = torch.zeros(3)
    fixed = torch.zeros(3)
    for batch in loader:
        a.add_(1)
        b[0] = 3
        c += 1
        torch.add(batch, 1, out=d)
        a * 2  #? invariant: no
        b * 2  #? invariant: no
        c * 2  #? invariant: no
        d * 2  #? invariant: no
        fixed * 2  #? invariant: high


def changed_torch_alias(loader):
    a = torch.zeros(3)
    b = a
    for batch in loader:
        a += 1
        b * 2  #? invariant: no


def changed_by_stepping(loader, parameters, loss):
    w = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.SGD([w], 0.1)
    for batch in loader:
        loss(w, batch).backward()
        optimizer.step()
        w * 2  #? invariant: no
        w.sum()  #? invariant: no


def changed_by_fitting(loader):
    model = tf.keras.Sequential([])
    for batch in loader:
        model.train_on_batch(batch)
        model.get_weights()  #? invariant: no
        model(tf.zeros([3]))  #? invariant: no
        model.predict(loader)  #? invariant: no


def changed_by_minimizing(loader):
    w = tf.Variable(0.0)
    optimizer = tf.keras.optimizers.SGD()
    for batch in loader:
        optimizer.minimize(lambda: w * batch, [w])
        w * 2  #? invariant: no


def random_draws(loader, rng, n):
    for batch in loader:
        random.random()  #? invariant: no
        np.random.rand(3)  #? invariant: no
        tf.random.normal([3])  #? invariant: no
        torch.randn(3)  #? invariant: no
        tf.nn.dropout(n, 0.5)  #? invariant: no
        rng.normal(3)  #? invariant: no
        draws()  #? invariant: no
        tf.constant(random.random())  #? invariant: no
        noise = tf.random.normal([3])
        tf.identity(noise)  #? invariant: no


def shape_reads(loader, x):
    t = tf.zeros([3])
    for batch in loader:
        t.shape  #? invariant: high
        t.shape[0]  #? invariant: high
        batch.shape[0]  #? invariant: no
        t.get_shape().as_list()  #? invariant: high
        x.shape  #? invariant: high
        t[0]  #? invariant: high
        t[batch]  #? invariant: no
        x[0]  #? invariant: high


def kept_by_the_call(dataset, build):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    other = build()
    for images in dataset:
        outputs = model(images)
        tf.reduce_sum(model.losses) + outputs  #? invariant: no
        tf.reduce_sum(model.losses)  #? invariant: low
        tf.reduce_sum(other.losses)  #? invariant: high
