"""Options of saving and restoring layouts, and change events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from rostrum.desktop.services.instances import Instance
from rostrum.stores.layouts.store import Layout, LayoutKey

GLOBAL = "Global"
"""The type of layouts of the whole desktop."""
WORKSPACE = "Workspace"
"""The type of layouts of one workspace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveOptions:
    """Options of saving a layout.

    Attributes:
        instances: The included instances; None for all.
        ignored: The excluded instances.
        set_current: Whether it becomes the current layout.
        without_contexts: Whether it contains no contexts of apps.
    """

    instances: tuple[str, ...] | None = None
    ignored: tuple[str, ...] = ()
    set_current: bool = True
    without_contexts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreOptions:
    """Options of restoring a layout.

    Attributes:
        context: Merged into the saved context of each app.
        close_running: Whether running apps that the layout does not contain are closed.
        kept: Instances that are not closed.
    """

    context: Mapping[str, Any] = field(default_factory=dict, repr=False)
    close_running: bool = True
    kept: tuple[str, ...] = ()


SAVE_ALL = SaveOptions()
RESTORE_ALL = RestoreOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredLayout:
    """A restored layout: the app of each instance that it started or kept."""

    key: LayoutKey
    instances: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutsChanged:
    """Changes of the stored layouts; a renamed one is neither added nor removed."""

    added: tuple[Layout, ...] = ()
    changed: tuple[Layout, ...] = ()
    removed: tuple[LayoutKey, ...] = ()
    renamed: tuple[LayoutKey, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentModified:
    """The desktop differs from the current layout, because an instance has started or stopped."""

    key: LayoutKey
    instance: str
    app: str
    action: Literal["started", "stopped"]


class SaveContexts(Protocol):
    """Requests contexts for a layout from running apps."""

    async def __call__(
        self, instances: Sequence[Instance], key: LayoutKey, context: Mapping[str, Any]
    ) -> Mapping[str, Mapping[str, Any]]:
        """Return the context of each instance that provides one, within a time limit."""
        ...
