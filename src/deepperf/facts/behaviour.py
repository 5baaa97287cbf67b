"""What methods and functions that no table of a framework holds do to the objects they get: read them, or change them."""

# Methods of Python's own types, of shapes and of arrays that only read.
READERS = frozenset(
    "as_list get_shape items keys values get copy format lower upper split rsplit join strip lstrip rstrip startswith "
    "endswith index count replace encode decode most_common tolist numpy dim size ndimension numel element_size "
    "is_integer total_seconds get_config output_shape rank num_elements is_fully_defined as_numpy_dtype name isdigit "
    "zfill title capitalize get_output_shape_at parameters named_parameters state_dict children modules mean sum min "
    "max std argmax argmin astype reshape transpose flatten ravel".split()
)
# Methods that change their object although they get nothing.
CHANGERS = frozenset(
    "sort reverse clear pop popleft popitem step zero_grad reset backward train eval next advance increment flush "
    "build shuffle get".split()
)
# Methods that keep what they get in their object.
STORERS = frozenset("append extend insert add update put push appendleft setdefault".split())
# Methods that train: whatever variables there are may have other values afterwards.
TRAINERS = frozenset(
    "apply_gradients minimize step backward train_on_batch fit apply_updates train_step restore load load_weights "
    "set_weights load_state_dict read".split()
)
# Functions of arrays that write into an argument.
IN_PLACE = frozenset("copyto put place putmask fill_diagonal shuffle".split())
# Builtins that call the function they are given.
HIGHER_ORDER = frozenset("map filter sorted min max".split())
# Builtins that read, and always give the same for the same arguments.
PURE_BUILTINS = frozenset(
    "abs all any bin bool bytes callable chr complex dict divmod enumerate filter float format frozenset getattr "
    "hasattr hash hex int isinstance issubclass len list map max min oct ord pow range repr reversed round set slice "
    "sorted str sum tuple type zip".split()
)
PURE_MODULES = (
    "math.",
    "numpy.",
    "operator.",
    "collections.",
    "functools.partial",
    "os.path.join",
    "os.path.basename",
    "os.path.dirname",
)


def only_reads(method: str, *, gets_something: bool) -> bool:
    """Tell whether a method only reads its object; a `get` that gets nothing takes something out of it, as a queue's does."""
    return method in READERS and (method != "get" or gets_something)


def changes_its_object(method: str) -> bool:
    """Tell whether a method changes its object though it gets nothing; torch marks such methods: `zero_`."""
    return method in CHANGERS or (method.endswith("_") and not method.endswith("__"))
