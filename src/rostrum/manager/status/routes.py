"""Health and metrics without credentials, and for administrators the version, database and effective settings."""

from typing import Any

from litestar import Response, get
from litestar.openapi.datastructures import ResponseSpec

from rostrum.contracts.server import HealthView, ServerView
from rostrum.manager.access.permissions import ADMIN_GROUP
from rostrum.manager.events.live import LiveUpdates
from rostrum.manager.http.authentication import PUBLIC
from rostrum.manager.http.dependencies import Part
from rostrum.manager.http.metrics import Metrics
from rostrum.manager.http.openapi_responses import ANYONE, answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer
from rostrum.manager.status.service import Health, ServerService, health_of
from rostrum.manager.storage import Storage
from rostrum.manager.topic import Routes


@get(
    "/admin/server", operation_id="readServer", tags=["server"], **answers(200, ServerView, 304, 403, right=ADMIN_GROUP)
)
async def read_server(request: ManagerRequest, server: Part[ServerService], live: Part[LiveUpdates]) -> Response[Any]:
    """Return the version, the health and the effective settings of the server, with their origins."""
    found = await server.read(request.user)
    body = {
        "version": found.version,
        "node": found.node,
        "started": found.started,
        "uptimeSeconds": found.uptime_seconds,
        "eventClients": len(live.hub),
        "database": {"kind": found.database, "migration": found.migration, "newestMigration": found.newest_migration},
        "health": {"status": found.health.status, "checks": dict(found.health.checks)},
        "settings": [
            {
                "property": setting.info.property,
                "variable": setting.info.env,
                "value": setting.value,
                "display": setting.display,
                "origin": setting.origin.kind.value,
                "originName": setting.origin.name,
                "secret": setting.info.secret,
                "meaning": setting.info.text,
            }
            for setting in found.settings
        ],
    }
    return answer(request, body)


_READY = answers(200, HealthView, **ANYONE)
_READY["responses"][503] = ResponseSpec(HealthView, description="Not now.", generate_examples=False)


@get("/health/live", operation_id="live", tags=["health"], opt={PUBLIC: True}, **answers(200, HealthView, **ANYONE))
async def live() -> Response[Any]:
    """Report that the process is running."""
    return _answer(Health(is_ready=True, checks={}))


@get("/health/ready", operation_id="ready", tags=["health"], opt={PUBLIC: True}, **_READY)
async def ready(storage: Part[Storage]) -> Response[Any]:
    """Report whether requests can be served. Checks the database."""
    return _answer(await health_of(storage))


def _answer(health: Health) -> Response[Any]:
    return Response(
        {"status": health.status, "checks": dict(health.checks)},
        status_code=200 if health.is_ready else 503,
        media_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


@get(
    "/metrics",
    operation_id="metrics",
    tags=["health"],
    opt={PUBLIC: True},
    **answers(200, str, media_type="text/plain", **ANYONE),
)
async def metrics(metrics: Part[Metrics]) -> Response[Any]:
    """Return the metrics of this process for Prometheus."""
    text, media_type = metrics.text()
    return Response(text, media_type=media_type, headers={"Cache-Control": "no-store"})


ROUTES = Routes((read_server, live, ready, metrics))
