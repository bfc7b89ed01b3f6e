"""The arrangement of a workspace: rows, columns and groups of windows, in the format of layouts; pure.

Every window is in a group, as a tab. Floating groups are not part of rows and columns. Layouts store them in the free
settings of the workspace, as the browser platform does.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

MOST_WINDOWS = 60
"""The same limit as on the browser platform."""
_DEEPEST = 20
_BOXES = ("row", "column", "group")
_FLOATING = "floating"

NodeKind = Literal["row", "column", "group", "window"]


class BadArrangement(ValueError):
    """An arrangement that cannot be shown."""


@dataclass(slots=True, kw_only=True, eq=False)
class Item:
    """A part of a workspace.

    Attributes:
        config: Its other settings; other clients may have added members.
        bounds: The bounds of a floating group; None for all other parts.
        app: The app of a window; ``instance`` is the running one, empty before it runs.
    """

    id: str
    kind: NodeKind
    config: dict[str, Any] = field(default_factory=dict)
    children: list["Item"] = field(default_factory=list)
    bounds: Mapping[str, Any] | None = None
    app: str = ""
    instance: str = ""
    context: Mapping[str, Any] = field(default_factory=dict)

    @property
    def selected(self) -> "Item | None":
        """Return the selected tab of a group."""
        index = self.config.get("activeTabIndex")
        at = index if isinstance(index, int) and 0 <= index < len(self.children) else 0
        return self.children[at] if self.children else None

    def select(self, window: "Item") -> None:
        """Select another tab of a group."""
        self.config["activeTabIndex"] = self.children.index(window)

    def windows(self) -> Iterator["Item"]:
        """Return the windows in this part."""
        if self.kind == "window":
            yield self
        for child in self.children:
            yield from child.windows()

    def all(self) -> Iterator["Item"]:
        """Return this part and all parts inside."""
        yield self
        for child in self.children:
            yield from child.all()


class Tree:
    """All parts of a workspace.

    Attributes:
        items: The top-level parts.
    """

    def __init__(self, items: Sequence[Item] = ()) -> None:
        self.items = list(items)

    def all(self) -> Iterator[Item]:
        """Return every part."""
        for item in self.items:
            yield from item.all()

    def windows(self) -> list[Item]:
        """Return the windows, those in floating groups last, in the order of pages."""
        docked = [item for item in self.items if item.bounds is None]
        floating = [item for item in self.items if item.bounds is not None]
        return [window for item in (*docked, *floating) for window in item.windows()]

    def find(self, identity: str) -> Item | None:
        """Return a part by its id, or a window by its running instance."""
        found = next((item for item in self.all() if item.id == identity), None)
        return found or next((item for item in self.all() if item.instance and item.instance == identity), None)

    def parent_of(self, item: Item) -> Item | None:
        """Return the part that contains a part; None for the workspace itself."""
        return next((one for one in self.all() if item in one.children), None)

    def siblings(self, item: Item) -> list[Item]:
        """Return the parts of the same parent, including the part itself."""
        parent = self.parent_of(item)
        return self.items if parent is None else parent.children

    def add(self, item: Item, into: Item | None, new_id: Callable[[], str]) -> Item:
        """Add a part to another one, or to the workspace; return the window's group, or the part itself."""
        if item.kind == "window":
            group = into if into is not None and into.kind == "group" else None
            if group is not None:
                group.children.append(item)
                group.select(item)
                return group
            item = Item(id=new_id(), kind="group", children=[item])
        elif into is not None and into.kind == "group":
            raise BadArrangement("a group has windows only")
        (self.items if into is None else into.children).append(item)
        return item

    def remove(self, item: Item) -> None:
        """Remove a part, and boxes that become empty."""
        parent = self.parent_of(item)
        siblings = self.siblings(item)
        shown = parent.selected if parent is not None and parent.kind == "group" else None
        siblings.remove(item)
        if parent is None:
            return
        if not parent.children:
            self.remove(parent)
        elif shown is not None:
            parent.select(shown if shown in parent.children else parent.children[0])

    def bundle(self, kind: Literal["row", "column"], item: Item | None, new_id: Callable[[], str]) -> None:
        """Wrap the parts of a box, or of the workspace, in a row or a column."""
        if item is not None and item.kind not in ("row", "column"):
            raise BadArrangement(f"the parts of a {item.kind} cannot be put into a {kind}")
        inside = self.items if item is None else item.children
        parts = [one for one in inside if one.bounds is None]
        inside[:] = [Item(id=new_id(), kind=kind, children=parts), *(one for one in inside if one.bounds is not None)]

    def layout(self, *, contexts: bool = False) -> dict[str, Any]:
        """Return the members ``children`` and ``config`` for a layout."""
        children = [_written(item, contexts=contexts) for item in self.items if item.bounds is None]
        floating = [
            {"bounds": dict(item.bounds), "group": _written(item, contexts=contexts)}
            for item in self.items
            if item.bounds is not None
        ]
        return {"children": children, "config": {_FLOATING: floating} if floating else {}}

    def rearrange(self, state: Any, ids: Any, new_id: Callable[[], str]) -> None:
        """Apply the arrangement of a page; raise BadArrangement unless it has exactly the same windows.

        Groups and boxes keep their ids if they have kept their first window.
        """
        known = {window.id: window for window in self.windows()}
        items = read_state(state, new_id)
        windows = Tree(items).windows()
        if not isinstance(ids, list) or len(ids) != len(windows) or {*ids} != {*known}:
            raise BadArrangement("the page shows other windows than the workspace has")
        used: set[str] = set()
        named = dict(zip((id(one) for one in windows), (known[one] for one in ids), strict=True))
        self.items = [self._renewed(item, named, used) for item in items]

    def _renewed(self, item: Item, named: Mapping[int, Item], used: set[str]) -> Item:
        if item.kind == "window":
            return named[id(item)]
        first = next(item.windows(), None)
        before = None if first is None else named[id(first)]
        while before is not None and (before.kind != item.kind or before.id in used):
            before = self.parent_of(before)
        identity = item.id if before is None else before.id
        used.add(identity)
        config = {**({} if before is None else before.config), **item.config}
        children = [self._renewed(child, named, used) for child in item.children]
        return Item(id=identity, kind=item.kind, config=config, children=children, bounds=item.bounds)


def read_state(state: Any, new_id: Callable[[], str]) -> list[Item]:
    """Read the state of a workspace from a layout; raise BadArrangement."""
    if not isinstance(state, Mapping):
        raise BadArrangement("a workspace must be an object")
    items = read_items(state.get("children"), new_id)
    config = state.get("config")
    floating = config.get(_FLOATING) if isinstance(config, Mapping) else None
    for one in floating if isinstance(floating, list) else ():
        # The settings are free-form, so malformed parts are omitted.
        bounds, group = (one.get("bounds"), one.get("group")) if isinstance(one, Mapping) else (None, None)
        if isinstance(bounds, Mapping) and isinstance(group, Mapping) and group.get("children"):
            for item in read_items([{**group, "type": "group"}], new_id):
                item.bounds = {
                    side: value
                    for side in ("left", "top", "width", "height")
                    if isinstance(value := bounds.get(side), int | float) and not isinstance(value, bool)
                }
                items.append(item)
    if len(Tree(items).windows()) > MOST_WINDOWS:
        raise BadArrangement(f"a workspace can have up to {MOST_WINDOWS} windows")
    return items


def read_items(written: Any, new_id: Callable[[], str]) -> list[Item]:
    """Read the parts of a workspace or a box; raise BadArrangement."""
    items = _read(written, new_id, 0)
    if sum(1 for item in items for _ in item.windows()) > MOST_WINDOWS:
        raise BadArrangement(f"a workspace can have up to {MOST_WINDOWS} windows")
    return [_grouped(item, new_id) for item in items]


def _read(written: Any, new_id: Callable[[], str], depth: int) -> list[Item]:
    if written is None:
        return []
    if not isinstance(written, list):
        raise BadArrangement("children must be an array")
    if depth > _DEEPEST or len(written) > MOST_WINDOWS:
        raise BadArrangement("the arrangement has too many parts")
    return [_item(one, new_id, depth) for one in written]


def _item(written: Any, new_id: Callable[[], str], depth: int) -> Item:
    if not isinstance(written, Mapping):
        raise BadArrangement("each child must be an object")
    kind, config = written.get("type", "window"), written.get("config")
    config = dict(config) if isinstance(config, Mapping) else {}
    if kind in _BOXES:
        children = _read(written.get("children"), new_id, depth + 1)
        if kind == "group" and any(child.kind != "window" for child in children):
            raise BadArrangement("a group has windows only")
        if kind != "group":
            children = [_grouped(child, new_id) for child in children]
        return Item(id=new_id(), kind=kind, config=config, children=children)
    if kind != "window":
        raise BadArrangement(f"a workspace has no part of type {str(kind)[:40]!r}")
    app, instance = written.get("appName") or config.pop("appName", None), written.get("windowId")
    context = written.get("context") or config.pop("context", None)
    if not isinstance(app, str | None) or not isinstance(instance, str | None) or not (app or instance):
        raise BadArrangement("a window must have an appName or a windowId")
    for name in ("windowId", "instanceId"):
        # These ids are from the desktop on which the layout was saved.
        config.pop(name, None)
    return Item(
        id=new_id(),
        kind="window",
        config=config,
        app=app or "",
        instance=instance or "",
        context=context if isinstance(context, Mapping) else {},
    )


def _grouped(item: Item, new_id: Callable[[], str]) -> Item:
    return Item(id=new_id(), kind="group", children=[item]) if item.kind == "window" else item


def _written(item: Item, *, contexts: bool) -> dict[str, Any]:
    if item.kind != "window":
        children = [_written(child, contexts=contexts) for child in item.children]
        return {"type": item.kind, "children": children, "config": dict(item.config)}
    config = {**item.config, "appName": item.app}
    return {"type": "window", "config": config | ({"context": dict(item.context)} if contexts and item.context else {})}
