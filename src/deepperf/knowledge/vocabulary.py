"""The words the tables speak in, with their meaning. Every word of the data must be one of these."""

# What a call gives, or what an attribute is.
KINDS = {
    "tensor": "a tensor of any framework, or a list of them",
    "variable": "a tensor that can be assigned to",
    "operation": "a node of a TensorFlow 1 graph that gives no value: what `minimize` returns",
    "dataset": "a tf.data pipeline",
    "iterator": "an iterator over a tf.data pipeline",
    "session": "what runs a TensorFlow 1 graph",
    "graph": "a TensorFlow 1 graph",
    "optimizer": "an optimizer",
    "model": "a model: it can be called, and in Keras trained",
    "layer": "a layer or cell: it can be called",
    "metric": "a metric that accumulates",
    "loss": "a loss: it can be called",
    "loader": "gives batches: a DataLoader, a Keras Sequence",
    "table": "a lookup table",
    "queue": "a queue of a TensorFlow 1 input pipeline",
    "tensor-array": "a TensorArray",
    "tape": "a GradientTape",
    "generator": "a generator of random numbers that keeps its own state",
    "saver": "a saver or checkpoint",
    "writer": "a writer of summaries or records",
    "strategy": "a distribution strategy",
    "function": "a function",
    "array": "a numpy array, or a structure of them",
    "frame": "a table of pandas, or a column of one",
    "number": "a Python number or truth value",
    "string": "a Python string",
    "list": "a Python list or tuple",
    "none": "nothing",
    "plain": "some other Python object that is no op",
    "unknown": "not known",
}

# What a call does beyond giving a value.
EFFECTS = {
    "node": "adds nodes to the graph that is being built; in eager mode it runs them",
    "random": "gives another value each time",
    "stateful": "reads or changes state that outlives the call: variables, collections, global switches",
    "writes": "changes that state, so that the order of calls matters",
    "side-effect": "prints, writes files or summaries",
    "control-flow": "takes functions and runs them as part of the graph",
    "resource": "makes something with an identity: a variable, queue, table, iterator, placeholder, session",
    "python": "calls back into Python while the graph runs",
    "runs-graph": "runs a graph that was built before",
    "reads-file": "reads from disk",
    "sync": "waits until the device has computed the value",
}

# What an op is like.
TRAITS = {
    "free": "costs next to nothing when it runs: shapes, identity, reshape, a change of dtype",
    "cheap": "one light pass over its input",
    "heavy": "dear for one element: decode, resize, convolution, matrix inverse",
    "elementwise": "on a stacked batch it gives the stack of what it gives for each element, as long as all "
    "tensor operands have one rank or are constants",
    "select": "elementwise if it is given three operands",
    "axis": "elementwise on the other axes if it is given a negative axis",
    "last-axis": "an axis op that takes the last axis where none is given",
    "drops-axis": "an axis op whose result has one axis less, unless told to keep it",
    "keeps-axes": "an axis op whose result has as many axes",
    "adds-axis": "an axis op whose result has one axis more",
    "image-4d": "takes a batch of images in place of one, with the same result for each",
    "record": "takes one record; its twin takes a batch of them",
    "string": "works on strings",
    "assert": "checks its operands and gives nothing",
    "source": "makes a dataset from something else",
    "batched": "a source whose elements are batches",
    "attribute": "no call: an attribute of a value",
}
