"""AccessSnapshot: all data that access decisions depend on, read at one moment."""

from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct, field

from rostrum.manager.apps.model import AppAccess
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.layouts.model import LayoutAccess
from rostrum.manager.storage import Work
from rostrum.manager.users.model import Person

APPS, LAYOUTS, CONFIGS = "apps", "layouts", "configs"


class AccessSnapshot(Struct, frozen=True, kw_only=True):
    """All data that access decisions depend on. Parts that a comparison does not need are empty.

    Attributes:
        groups: The groups that each group inherits from; every group has an entry.
        chosen: Type and name of the default layout that a user has selected.

    """

    users: Mapping[str, Person] = field(default_factory=dict)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    priorities: Mapping[str, int] = field(default_factory=dict)
    apps: Mapping[str, AppAccess] = field(default_factory=dict)
    layouts: Mapping[str, LayoutAccess] = field(default_factory=dict)
    chosen: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    configs: Mapping[str, ConfigFile] = field(default_factory=dict)


async def read_snapshot(work: Work, parts: Collection[str], files: Iterable[str] | None = None) -> AccessSnapshot:
    """Read the data for these parts; with ``files``, only configuration files with these names."""
    graph = await work.groups.graph()
    priorities = await work.groups.priorities()
    return AccessSnapshot(
        users={person.id: person for person in await work.users.people()},
        groups={name: graph.get(name, ()) for name in priorities},
        priorities=priorities,
        apps={app.name: app for app in await work.apps.access()} if APPS in parts else {},
        layouts={layout.id: layout for layout in await work.layouts.access_of_all()} if LAYOUTS in parts else {},
        chosen=await work.layouts.chosen_defaults() if LAYOUTS in parts else {},
        configs={config.id: config for config in await work.configs.everything(files)} if CONFIGS in parts else {},
    )
