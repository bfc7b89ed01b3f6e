"""Proposals for administrators. The comment of a decision is in the header `Change-Comment`."""

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import PathParameter

from rostrum.contracts.proposals import ProposalDetails, ProposalList, ProposalView
from rostrum.manager.http.authentication import SIGNED_IN
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import ADMINISTRATION, ALWAYS, answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer
from rostrum.manager.proposals.model import Proposal
from rostrum.manager.proposals.service import ProposalService
from rostrum.manager.topic import Routes

ProposalId = Annotated[str, PathParameter(description="The ID of the proposal.", max_length=64)]
_OPT = {ADMINISTRATION: True}
# An administrator could create a token of a service account, and approve an own proposal with it.
_BY_A_PERSON = {**_OPT, SIGNED_IN: True}


@get("/admin/proposals", operation_id="listProposals", tags=["proposals"], **answers(200, ProposalList, 304))
async def list_proposals(request: ManagerRequest, proposals: Part[ProposalService], wanted: Wanted) -> Response[Any]:
    """List the proposals that the caller may read, newest first.

    Filters: status, createdBy, decidedBy, ticket; `decision=mine` for those that the caller can approve or reject.
    """
    return answer(request, page_view(await proposals.page(request.user, wanted), Proposal.as_json))


@get(
    "/admin/proposals/{proposal_id:str}",
    operation_id="readProposal",
    tags=["proposals"],
    **answers(200, ProposalDetails, 304, 404),
)
async def read_proposal(
    request: ManagerRequest, proposals: Part[ProposalService], proposal_id: ProposalId
) -> Response[Any]:
    """Read a proposal with its differences."""
    return answer(request, (await proposals.get(request.user, proposal_id)).as_json())


@post(
    "/admin/proposals/{proposal_id:str}/approve",
    operation_id="approveProposal",
    tags=["proposals"],
    **answers(200, ProposalView, 403, 404, 409, confirmed=ALWAYS, opt=_BY_A_PERSON),
)
async def approve_proposal(
    request: ManagerRequest, proposals: Part[ProposalService], proposal_id: ProposalId
) -> Response[Any]:
    """Approve a proposal of another administrator. All its documents are changed in one transaction."""
    return answer(request, (await proposals.approve(request.user, proposal_id)).as_json())


@post(
    "/admin/proposals/{proposal_id:str}/reject",
    operation_id="rejectProposal",
    tags=["proposals"],
    **answers(200, ProposalView, 403, 404, 409, opt=_OPT),
)
async def reject_proposal(
    request: ManagerRequest, proposals: Part[ProposalService], proposal_id: ProposalId
) -> Response[Any]:
    """Reject a proposal, or withdraw an own one. Nothing is changed."""
    return answer(request, (await proposals.reject(request.user, proposal_id)).as_json())


ROUTES = Routes((list_proposals, read_proposal, approve_proposal, reject_proposal))
