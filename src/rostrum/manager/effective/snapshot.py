"""AccessSnapshot: all data that access decisions depend on, read at one moment."""

from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct, field

from rostrum.manager.apps.model import AppAccess
from rostrum.manager.apps.repository import Apps
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.configs.repository import ConfigFiles
from rostrum.manager.groups.repository import Groups
from rostrum.manager.layouts.model import LayoutAccess
from rostrum.manager.layouts.repository import Layouts
from rostrum.manager.storage import Work
from rostrum.manager.users.model import Person
from rostrum.manager.users.repository import Users

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
    graph = await work.of(Groups).graph()
    priorities = await work.of(Groups).priorities()
    return AccessSnapshot(
        users={person.id: person for person in await work.of(Users).people()},
        groups={name: graph.get(name, ()) for name in priorities},
        priorities=priorities,
        apps={app.name: app for app in await work.of(Apps).access()} if APPS in parts else {},
        layouts={layout.id: layout for layout in await work.of(Layouts).access_of_all()} if LAYOUTS in parts else {},
        chosen=await work.of(Layouts).chosen_defaults() if LAYOUTS in parts else {},
        configs={config.id: config for config in await work.of(ConfigFiles).everything(files)}
        if CONFIGS in parts
        else {},
    )
