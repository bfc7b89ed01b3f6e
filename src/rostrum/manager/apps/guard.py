"""Refuses apps that would let the caller control the desktops of others."""

from rostrum.base import json_text
from rostrum.contracts.far_reaching import far_reaching_members
from rostrum.contracts.fdc3_import import to_definition
from rostrum.manager.access.reasons import Viewer, evaluate_app
from rostrum.manager.apps.model import App
from rostrum.manager.users.desktop_guard import DesktopGuard
from rostrum.manager.users.model import Person


async def check_app(guard: DesktopGuard, app: App) -> None:
    """Refuse an app that reaches further than its page, for users who have rights that the writer lacks."""
    if not guard.is_needed:
        return
    # Desktops start what a manifest of ours in an FDC3 record says.
    path = next(far_reaching_members(to_definition(json_text.parse(app.definition))), None)
    if path is None:
        return

    def receives(person: Person, groups: frozenset[str]) -> bool:
        viewer = Viewer(user=person.id, groups=groups, apps=person.apps)
        return evaluate_app(viewer, app).visible

    what = "runs a program" if path == "type" else f"reaches further than its page ({path})"
    reason = f"the app {app.name!r} {what} on the desktops of users who have more rights"
    await guard.check_receivers(receives, reason)
