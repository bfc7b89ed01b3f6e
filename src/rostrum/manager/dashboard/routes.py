"""The dashboard, for all users; it contains the figures that the caller may read."""

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import QueryParameter

from rostrum.contracts.dashboard import DashboardView
from rostrum.manager.dashboard.service import DashboardService
from rostrum.manager.http.dependencies import Part
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer
from rostrum.manager.topic import Routes

DayStarts = Annotated[
    str | None,
    QueryParameter(
        name="days",
        description="The beginnings of consecutive days, such as 2026-11-14T23:00:00Z, separated by commas. "
        "Default: the last 30 days in UTC.",
        max_length=3000,
    ),
]


@get("/admin/dashboard", operation_id="readDashboard", tags=["dashboard"], **answers(200, DashboardView, 304))
async def read_dashboard(
    request: ManagerRequest, dashboard: Part[DashboardService], day_starts: DayStarts = None
) -> Response[Any]:
    """Read what needs attention, the newest changes, and sessions and crashes by day.

    Parts that the caller may not read are null.
    """
    return answer(request, (await dashboard.read(request.user, day_starts)).as_json())


ROUTES = Routes((read_dashboard,))
