"""Changes that wait for approval."""

from rostrum.manager.history.restore import DocumentService
from rostrum.manager.kinds import Kind
from rostrum.manager.proposals.repository import Proposals
from rostrum.manager.proposals.requests import require_comment_and_approval
from rostrum.manager.proposals.service import ProposalService
from rostrum.manager.topic import Purge, Topic, older_than

TOPIC = Topic(
    services=lambda parts: {
        "proposals": ProposalService(
            parts.storage, parts.all_of(DocumentService), approver_hours=parts.config.approver_hours
        )
    },
    routes=("proposals.routes",),
    before_commit=(require_comment_and_approval,),
    purges=(
        Purge(
            lambda work, config: older_than(work, config.purge_history_after_days, work.of(Proposals).purge),
            "proposals",
            Kind.PROPOSAL,
        ),
    ),
)
