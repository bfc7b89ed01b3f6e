"""How layouts are saved and restored, and what is reported of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from rostrum.desktop.services.instances import Instance
from rostrum.stores.layouts.store import Layout, LayoutKey

__all__ = [
    "GLOBAL",
    "RESTORE_ALL",
    "SAVE_ALL",
    "WORKSPACE",
    "CurrentModified",
    "LayoutsChanged",
    "RestoreOptions",
    "RestoredLayout",
    "SaveContexts",
    "SaveOptions",
]

GLOBAL = "Global"
"""The type of layouts of the whole desktop."""
WORKSPACE = "Workspace"
"""The type of layouts of one workspace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveOptions:
    """How a layout is saved.

    Attributes:
        instances: The instances that it keeps; None for all.
        ignored: Instances that it does not keep.
        set_current: Whether it is the current layout from then on.
        without_contexts: Whether it keeps no contexts of apps.

    """

    instances: tuple[str, ...] | None = None
    ignored: tuple[str, ...] = ()
    set_current: bool = True
    without_contexts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreOptions:
    """How a layout is restored.

    Attributes:
        context: Laid over the saved context of each app.
        close_running: Whether running apps that the layout does not name are closed.
        kept: Instances that are not closed.

    """

    context: Mapping[str, Any] = field(default_factory=dict, repr=False)
    close_running: bool = True
    kept: tuple[str, ...] = ()


SAVE_ALL = SaveOptions()
RESTORE_ALL = RestoreOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredLayout:
    """A layout that was restored: the app of each instance that it has started or kept."""

    key: LayoutKey
    instances: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutsChanged:
    """What is different among the stored layouts; a renamed one is neither added nor removed."""

    added: tuple[Layout, ...] = ()
    changed: tuple[Layout, ...] = ()
    removed: tuple[LayoutKey, ...] = ()
    renamed: tuple[LayoutKey, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentModified:
    """The desktop does not show the current layout any more, because an instance has started or stopped."""

    key: LayoutKey
    instance: str
    app: str
    action: Literal["started", "stopped"]


class SaveContexts(Protocol):
    """Asks running apps what a layout keeps for them."""

    async def __call__(
        self, instances: Sequence[Instance], key: LayoutKey, context: Mapping[str, Any]
    ) -> Mapping[str, Mapping[str, Any]]:
        """Return the context of each instance that gives one, within bounded time."""
        ...
