"""The metrics of this process, for Prometheus."""

from typing import Any

from litestar import Response, get
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from rostrum.manager.http.authentication import PUBLIC
from rostrum.manager.http.dependencies import MetricsPart
from rostrum.manager.http.openapi_responses import ANYONE, answers


@get(
    "/metrics",
    operation_id="metrics",
    tags=["health"],
    opt={PUBLIC: True},
    **answers(200, str, media_type="text/plain", **ANYONE),
)
async def metrics(metrics: MetricsPart) -> Response[Any]:
    """Answer this process's metrics for Prometheus."""
    return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})


HANDLERS = (metrics,)
