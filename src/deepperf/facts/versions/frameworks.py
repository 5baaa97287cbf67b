"""The distributions that bring a framework, and requirements for them."""

from __future__ import annotations

import re

_DISTRIBUTIONS = {
    "tensorflow": (
        "tensorflow tensorflow-gpu tensorflow-cpu tensorflow-intel tensorflow-macos tensorflow-mkl "
        "tensorflow-rocm intel-tensorflow tf-nightly tf-nightly-cpu tf-nightly-gpu"
    ),
    "keras": "keras keras-nightly",
    "torch": "torch pytorch pytorch-cpu pytorch-gpu",
    "lightning": "lightning pytorch-lightning",
    "jax": "jax jaxlib",
    "transformers": "transformers",
    "datasets": "datasets",
    "accelerate": "accelerate",
}
_FRAMEWORK_OF = {name: framework for framework, names in _DISTRIBUTIONS.items() for name in names.split()}
_NAME = re.compile(r"\s*([A-Za-z0-9][\w.-]*)")


def framework_of(distribution: str) -> str | None:
    """Return the framework that a distribution brings, None if it brings none."""
    return _FRAMEWORK_OF.get(re.sub(r"[-_.]+", "-", distribution).lower())


def requirement(line: str) -> tuple[str, str] | None:
    """Return the framework and the specifier of a requirement such as `tensorflow-gpu[x]>=2.4; marker`.

    None is returned for what is no requirement, or one for something else, or one without a version.
    """
    match = _NAME.match(line)
    framework = framework_of(match.group(1)) if match else None
    if framework is None:
        return None
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        found = Requirement(line.partition(";")[0].strip())
    except InvalidRequirement:
        return None
    return (framework, str(found.specifier)) if found.specifier else None
