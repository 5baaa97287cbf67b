"""The rules: one folder a framework, one file a rule."""
