"""The colour themes of the configuration, and the selected one."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from rostrum.base.json_file import DamagedFile, JsonFile, NewerFile
from rostrum.base.signal import Signal
from rostrum.desktop.arguments import text
from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import Theme, WindowHost
from rostrum.desktop.services.methods import method
from rostrum.settings.sections.user_interface import Themes as ThemeSettings
from rostrum.settings.standard_files import read_themes

_log = logging.getLogger(__name__)
CONTEXT = "Rostrum.Themes"
"""The shared context with the themes and the selected theme, for apps."""


class ThemeContexts(Protocol):
    """Shared contexts of a gateway peer."""

    async def set(self, name: str, data: dict[str, Any]) -> None:
        """Replace the data of a context."""
        ...


class ThemeService:
    """Passes the themes to the windowing system, and stores the selection.

    Attributes:
        themes: In the order of the configuration.
        selected: The name of the selected theme; None when there are no themes.
        changed: Emitted with the name of the selected theme.
    """

    def __init__(self, themes: Sequence[Theme], host: WindowHost, contexts: ThemeContexts, folder: Path) -> None:
        self.themes = tuple(themes)
        self.changed: Signal[str | None] = Signal()
        self.selected = self.themes[0].name if self.themes else None
        self._host = host
        self._contexts = contexts
        self._file = JsonFile(folder / "theme.json")

    async def open(self) -> None:
        """Select the theme of the last run, or the first one."""
        stored = self._stored()
        if any(theme.name == stored for theme in self.themes):
            self.selected = stored
        await self._publish()

    async def select(self, name: str) -> None:
        """Select a theme, also for later starts."""
        if not any(theme.name == name for theme in self.themes):
            names = ", ".join(theme.name for theme in self.themes) or "none"
            raise DesktopError(f"there is no theme {name!r}; available themes: {names}")
        self.selected = name
        await self._publish()
        try:
            self._file.write(name)
        except OSError as error:
            raise DesktopError(f"the theme is shown but cannot be saved: {error.strerror or error}") from error

    def listed(self) -> dict[str, Any]:
        """List the themes and the selected one, for apps."""
        return {"all": [_shown(theme) for theme in self.themes], "selected": self.selected}

    async def _publish(self) -> None:
        await self._host.set_themes(self.themes, self.selected)
        await self._contexts.set(CONTEXT, self.listed())
        self.changed.emit(self.selected)

    def _stored(self) -> Any:
        try:
            return self._file.read()
        except FileNotFoundError:
            return None
        except (DamagedFile, NewerFile, OSError) as error:
            _log.warning("the selected theme cannot be read: %s", error)
            return None


def themes_of(settings: ThemeSettings, contents: Any) -> tuple[Theme, ...]:
    """Return the themes of themes.json and of the settings; a theme in the settings replaces one of the same name."""
    written = {one.name: one for one in (*read_themes(contents)[0], *(settings.available_themes or ()))}
    return tuple(
        Theme(name=one.name, title=one.display_name or one.name, properties=dict(one.model_extra or {}))
        for one in written.values()
    )


def _shown(theme: Theme) -> Mapping[str, Any]:
    return {"name": theme.name, "displayName": theme.title}


class ThemeMethods:
    """Themes on the gateway."""

    def __init__(self, themes: ThemeService) -> None:
        self._themes = themes

    @method("Rostrum.Themes.List")
    async def list_all(self, _: Mapping[str, Any]) -> Any:
        """List the themes and the selected one."""
        return self._themes.listed()

    @method("Rostrum.Themes.Select")
    async def select(self, arguments: Mapping[str, Any]) -> Any:
        """Select a theme."""
        await self._themes.select(text(arguments, "name"))
        return {}
