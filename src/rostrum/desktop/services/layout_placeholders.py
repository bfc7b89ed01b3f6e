"""Windows in place of apps of a layout that could not be started."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rostrum.desktop.errors import DesktopError
from rostrum.desktop.hosts.port import WindowHost, WindowRequest
from rostrum.desktop.hosts.reports import Reports, WindowClosed
from rostrum.desktop.services.layout_plan import Planned
from rostrum.desktop.windows.own_pages import PLACEHOLDER

_MOST_SHOWN = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Placeholder:
    """A window in place of an app.

    Attributes:
        id: The id of the window.
        planned: The app, as the layout has it.
        title: The title of the app.
        reason: Why it could not be started.

    """

    id: str
    planned: Planned
    title: str
    reason: str


class Placeholders:
    """The visible placeholders, in which users retry the start of the app, or which they close."""

    def __init__(
        self,
        host: WindowHost,
        reports: Reports,
        *,
        title_of: Callable[[str], str],
        new_id: Callable[[], str],
    ) -> None:
        """Show placeholders; ``title_of`` returns the title of an app by its name."""
        self._host = host
        self._title_of = title_of
        self._new_id = new_id
        self._open: dict[str, Placeholder] = {}
        reports.listen(WindowClosed, lambda closed: self._forget(closed.instance))

    def find(self, window: str) -> Placeholder:
        """Return the placeholder in a window; raise DesktopError if there is none."""
        found = self._open.get(window)
        if found is None:
            raise DesktopError("the placeholder is no longer open")
        return found

    async def open(self, planned: Planned, reason: str) -> str:
        """Open the placeholder of an app hidden, at the position of its window; return the id of its own window."""
        title = self._title_of(planned.app)
        placeholder = Placeholder(id=self._new_id(), planned=planned, title=title, reason=reason[:_MOST_SHOWN])
        self._open[placeholder.id] = placeholder
        request = WindowRequest(
            instance=placeholder.id,
            kind=PLACEHOLDER,
            title=f"{title} (not started)",
            details={},
            bounds=planned.bounds,
            hidden=True,
        )
        try:
            await self._host.open_window(request)
        except BaseException:
            self._forget(placeholder.id)
            raise
        return placeholder.id

    async def close(self, window: str) -> None:
        """Close a placeholder, if it is open."""
        if window in self._open:
            self._forget(window)
            await self._host.close_window(window)

    async def close_all(self) -> None:
        """Close every placeholder."""
        for window in [*self._open]:
            await self.close(window)

    def components(self, grouped: Callable[[Planned], Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the components of the apps: the earlier ones, at the positions of the placeholders.

        ``grouped`` returns the current groups of an app of the layout.
        """
        return [self._component(one, grouped(one.planned)) for one in self._open.values()]

    def _component(self, placeholder: Placeholder, grouped: Mapping[str, Any]) -> dict[str, Any]:
        component = placeholder.planned.component
        state: Mapping[str, Any] = {**(component.get("state") or {}), **grouped}
        bounds = self._host.bounds(placeholder.id)
        if bounds is None:
            return {**component, "state": dict(state)}
        place = {"left": bounds.left, "top": bounds.top, "width": bounds.width, "height": bounds.height}
        return {**component, "state": {**state, "bounds": place}}

    def _forget(self, window: str) -> None:
        self._open.pop(window, None)
