"""The words the tables speak in, and what each means. Every word of the data must be one of these."""

# What a call gives.
KINDS = frozenset(
    (
        "tensor",
        "variable",
        "operation",
        "dataset",
        "iterator",
        "session",
        "graph",
        "optimizer",
        "model",
        "layer",
        "metric",
        "loader",
        "function",
        "array",
        "number",
        "string",
        "list",
        "none",
        "plain",
        "unknown",
    )
)
