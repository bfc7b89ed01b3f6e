"""The rules for changes by administrators, for clients."""

from typing import Any

from litestar import Response, get

from rostrum.contracts.reasons import ChangeRules
from rostrum.manager.config import ManagerConfig
from rostrum.manager.http.dependencies import Part
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer
from rostrum.manager.topic import Routes


@get("/admin/change-rules", operation_id="readChangeRules", tags=["audit"], **answers(200, ChangeRules, 304))
async def read_change_rules(request: ManagerRequest, config: Part[ManagerConfig]) -> Response[Any]:
    """Return which changes require a comment, and the address of tickets."""
    return answer(
        request,
        {
            "commentRequired": sorted(config.comment_required),
            "ticketUrl": config.ticket_url,
            "approvalKinds": sorted(config.approval_kinds),
        },
    )


ROUTES = Routes((read_change_rules,))
