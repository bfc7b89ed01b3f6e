"""The running server, for full administrators: version, database, health, the settings in force."""

from typing import Any

from litestar import Response, get

from rostrum.contracts.server import ServerView
from rostrum.manager.access.permissions import ADMIN_GROUP
from rostrum.manager.http.dependencies import LivePart, ServerPart
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer


@get(
    "/admin/server", operation_id="readServer", tags=["server"], **answers(200, ServerView, 304, 403, right=ADMIN_GROUP)
)
async def read_server(request: ManagerRequest, server: ServerPart, live: LivePart) -> Response[Any]:
    """Tell what runs here, how it is, and which settings are in force, each with its origin."""
    found = await server.read(request.user)
    body = {
        "version": found.version,
        "node": found.node,
        "started": found.started,
        "uptimeSeconds": found.uptime_seconds,
        "eventClients": len(live.hub),
        "database": {
            "kind": found.database,
            "migration": found.migration,
            "newestMigration": found.newest_migration,
        },
        "health": {"status": found.health.status, "checks": dict(found.health.checks)},
        "settings": [
            {
                "property": setting.info.property,
                "variable": setting.info.env,
                "value": setting.value,
                "origin": setting.origin.kind.value,
                "originName": setting.origin.name,
                "secret": setting.info.secret,
                "meaning": setting.info.text,
            }
            for setting in found.settings
        ],
    }
    return answer(request, body)


HANDLERS = (read_server,)
