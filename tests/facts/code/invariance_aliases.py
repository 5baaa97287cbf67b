"""What keeps its value in a loop: objects that are changed under another name."""

import tensorflow as tf


def appends(items):
    items.append(1)


def identity(x):
    return x


class Box:
    def __init__(self, items):
        self.items = items

    def add(self, item):
        self.items.append(item)


def chunks(items):
    for item in items:
        yield item


def keep(box, items):
    box.items = items


def aliased(loader):
    items = []
    alias = items
    for batch in loader:
        alias.append(batch)
        tf.stack(items)  # ? invariant: no


def aliased_inside(loader):
    items = []
    for batch in loader:
        alias = items
        alias.append(batch)
        tf.stack(items)  # ? invariant: no


def aliased_by_walrus(loader, items):
    for batch in loader:
        (alias := items).append(batch)
        tf.stack(items)  # ? invariant: no


def aliased_by_item(loader):
    items = []
    box = [items]
    for batch in loader:
        box[0].append(batch)
        tf.stack(items)  # ? invariant: no


def aliased_by_dict(loader):
    items = []
    box = {"a": items}
    for batch in loader:
        box["a"].append(batch)
        tf.stack(items)  # ? invariant: no


def aliased_by_loop(loader, groups):
    for batch in loader:
        for group in groups:
            group.append(batch)
        tf.stack(groups)  # ? invariant: no


def aliased_by_unpacking(loader):
    items, other = [], []
    a, b = items, other
    for batch in loader:
        a.append(batch)
        tf.stack(items)  # ? invariant: no


def aliased_by_field(loader, self):
    items = []
    self.items = items
    for batch in loader:
        self.items.append(batch)
        tf.stack(items)  # ? invariant: no


def aliased_from_field(loader, self):
    items = self.items
    for batch in loader:
        self.items.append(batch)
        tf.stack(items)  # ? invariant: no


def aliased_from_field_2(loader, self):
    items = self.items
    for batch in loader:
        items.append(batch)
        tf.stack(self.items)  # ? invariant: no


def bound_method(loader):
    items = []
    add = items.append
    for batch in loader:
        add(batch)
        tf.stack(items)  # ? invariant: no


def changed_by_method_of_element(loader, groups):
    first = groups[0]
    for batch in loader:
        groups[0].append(batch)
        tf.stack(first)  # ? invariant: no
        tf.stack(groups)  # ? invariant: no
        len(groups[0])  # ? invariant: no


def changed_through_container_call(loader):
    table = {"a": []}
    for batch in loader:
        table.setdefault("a", []).append(batch)
        tf.stack(table["a"])  # ? invariant: no


def changed_through_get(loader):
    table = {"a": []}
    for batch in loader:
        table.get("a").append(batch)
        tf.stack(table["a"])  # ? invariant: no


def changed_through_values(loader):
    table = {"a": []}
    for batch in loader:
        for value in table.values():
            value.append(batch)
        tf.stack(table["a"])  # ? invariant: no


def changed_through_zip(loader, a, b):
    for batch in loader:
        for x, y in zip(a, b):
            x.append(y)
        tf.stack(a)  # ? invariant: no


def changed_through_returned_alias(loader):
    items = []
    same = identity(items)
    for batch in loader:
        same.append(batch)
        tf.stack(items)  # ? invariant: no


def changed_through_returned_alias_inside(loader):
    items = []
    for batch in loader:
        identity(items).append(batch)
        tf.stack(items)  # ? invariant: no


def changed_through_conditional(loader, flag):
    a, b = [], []
    for batch in loader:
        (a if flag else b).append(batch)
        tf.stack(a)  # ? invariant: no


def changed_through_or(loader, given):
    items = []
    used = given or items
    for batch in loader:
        used.append(batch)
        tf.stack(items)  # ? invariant: no


def changed_through_starred_call(loader):
    items = []
    for batch in loader:
        appends(*[items])
        tf.stack(items)  # ? invariant: no


def changed_through_keywords(loader):
    items = []
    for batch in loader:
        appends(**{"items": items})
        tf.stack(items)  # ? invariant: no


def changed_through_slice(loader):
    items = [1, 2]
    for batch in loader:
        items[:] = batch
        tf.stack(items)  # ? invariant: no


def changed_through_object(loader):
    items = []
    box = Box(items)
    for batch in loader:
        box.add(batch)
        tf.stack(items)  # ? invariant: no
        tf.stack(box.items)  # ? invariant: no


def changed_through_yielded_loop(loader, items):
    for group in chunks(items):
        group.append(1)
        tf.stack(items)  # ? invariant: no


def field_stored_in_the_loop(box, loader):
    items = []
    for batch in loader:
        box.items = items
        box.add(batch)
        tf.stack(items)  # ? invariant: no


def field_stored_by_a_call(loader):
    items = []
    box = Box([])
    keep(box, items)
    for batch in loader:
        box.add(batch)
        tf.stack(items)  # ? invariant: no


def item_stored_before(loader):
    items = []
    table = {}
    table["a"] = items
    for batch in loader:
        items.append(batch)
        tf.stack(table["a"])  # ? invariant: no
        tf.stack(table.get("a"))  # ? invariant: no


def item_stored_before_and_changed(loader):
    items = []
    table = {}
    table["a"] = items
    for batch in loader:
        table["a"].append(batch)
        tf.stack(items)  # ? invariant: no


def changed_by_a_lambda(loader):
    items, others, groups = [], [], [[]]
    for batch in loader:
        (lambda part: part.append(batch))(items)
        list(map(lambda part: part.append(batch), groups))
        tf.stack(items)  # ? invariant: no
        tf.stack(groups)  # ? invariant: no
        tf.stack(others)  # ? invariant: high


def changed_by_a_function_over_elements(loader):
    groups = [[]]
    for batch in loader:
        list(map(appends, groups))
        tf.stack(groups)  # ? invariant: no


def held_by_what_grows(loader):
    items, table, rows = [1], {}, []
    for batch in loader:
        table[batch] = items
        rows.append(items)
        tf.stack(items)  #? invariant: high
        tf.stack(rows)  #? invariant: no


def changed_through_what_holds_it(loader):
    items, rows = [1], []
    rows.append(items)
    for batch in loader:
        rows[0].append(batch)
        tf.stack(items)  #? invariant: no


def passed_by_name_and_as_a_rest(loader, size, options):
    for batch in loader:
        takes_rest(size, options)
        tf.constant(size)  #? invariant: high
        tf.stack(options)  #? invariant: no


def takes_rest(size, *rest):
    mystery(rest)
