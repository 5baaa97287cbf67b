"""Rules about Keras."""
