"""Liveness and readiness, without credentials."""

from typing import Any

from litestar import Response, get
from litestar.openapi.datastructures import ResponseSpec

from rostrum.contracts.body import View
from rostrum.manager.api.authentication import PUBLIC
from rostrum.manager.api.documented import ANYONE, answers
from rostrum.manager.api.parts import StoragePart
from rostrum.manager.storage import Unavailable

__all__ = ["HANDLERS"]


class Health(View):
    """How the server is."""

    status: str
    checks: dict[str, str]


_READY = answers(200, Health, **ANYONE)
_READY["responses"][503] = ResponseSpec(Health, description="Not now.", generate_examples=False)


@get("/health/live", operation_id="live", tags=["health"], opt={PUBLIC: True}, **answers(200, Health, **ANYONE))
async def live() -> Response[Any]:
    """Tell that the process runs."""
    return _health(200, "ok", {})


@get("/health/ready", operation_id="ready", tags=["health"], opt={PUBLIC: True}, **_READY)
async def ready(storage: StoragePart) -> Response[Any]:
    """Tell whether requests can be served: asks the database."""
    try:
        await storage.ping()
    except Unavailable:
        return _health(503, "unavailable", {"database": "does not answer"})
    return _health(200, "ok", {"database": "ok"})


def _health(status: int, word: str, checks: dict[str, str]) -> Response[Any]:
    return Response(
        {"status": word, "checks": checks},
        status_code=status,
        media_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


HANDLERS = (live, ready)
