"""Liveness and readiness, without credentials."""

from typing import Any

from litestar import Response, get
from litestar.openapi.datastructures import ResponseSpec

from rostrum.contracts.server import HealthView
from rostrum.manager.http.authentication import PUBLIC
from rostrum.manager.http.dependencies import StoragePart
from rostrum.manager.http.openapi_responses import ANYONE, answers
from rostrum.manager.status.health import Health, health_of

_READY = answers(200, HealthView, **ANYONE)
_READY["responses"][503] = ResponseSpec(HealthView, description="Not now.", generate_examples=False)


@get("/health/live", operation_id="live", tags=["health"], opt={PUBLIC: True}, **answers(200, HealthView, **ANYONE))
async def live() -> Response[Any]:
    """Tell that the process runs."""
    return _answer(Health(is_ready=True, checks={}))


@get("/health/ready", operation_id="ready", tags=["health"], opt={PUBLIC: True}, **_READY)
async def ready(storage: StoragePart) -> Response[Any]:
    """Tell whether requests can be served: asks the database."""
    return _answer(await health_of(storage))


def _answer(health: Health) -> Response[Any]:
    return Response(
        {"status": health.status, "checks": dict(health.checks)},
        status_code=200 if health.is_ready else 503,
        media_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


HANDLERS = (live, ready)
