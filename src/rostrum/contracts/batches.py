"""Changes of many documents at once: requests and responses."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from rostrum.contracts.body import Body, ListView, View
from rostrum.contracts.names import GroupName, Id, Name, ShortText, UserId
from rostrum.contracts.reasons import Comment, Ticket

MOST_IDS = 20_000

Key = Annotated[str, Field(min_length=1, max_length=256, pattern=r"^[^\x00]+$")]


class BatchArguments(Body):
    """The arguments of an action."""

    groups: list[GroupName] = Field(
        default=[], max_length=100, description="For addToGroups, removeFromGroups, grant and revoke."
    )
    apps: list[Name] = Field(default=[], max_length=1000, description="For grantApps and revokeApps.")
    assignee: list[UserId] = Field(default=[], max_length=1, description="One user, for assign.")
    review_reports: bool = Field(
        default=False, description="For resolve of crash groups: also mark their reports as reviewed."
    )


class BatchFilter(Body):
    """The filter of a list: the batch changes all documents that the list shows with this filter."""

    q: ShortText = Field("", description="The text to search for.")
    fields: dict[ShortText, ShortText] = Field(
        default={}, max_length=20, description="The filters of the list, by the names of their parameters."
    )
    exclude: list[Key] = Field(default=[], max_length=1000, description="Documents that match and are not changed.")


class BatchRequest(Body):
    """An action, and the documents to apply it to: either IDs or the filter of a list."""

    action: ShortText = Field(
        description="Users: enable, disable, addToGroups, removeFromGroups, grantApps, revokeApps, delete. "
        "Apps and layouts: enable, disable, grant, revoke, delete. Sessions: end. Directory addresses: revoke. "
        "Crash groups: investigate, resolve, ignore, reopen, assign, unassign. Feedback: the same, and delete. "
        "Other kinds: delete."
    )
    arguments: BatchArguments = BatchArguments()
    ids: list[Key] | None = Field(
        None, min_length=1, max_length=MOST_IDS, description="The IDs or names of the documents."
    )
    filter: BatchFilter | None = None
    count: int | None = Field(
        None,
        ge=0,
        le=10_000_000,
        description="The number of documents that match the filter, as a preview returns it; required to start a batch "
        "with a filter. The batch is refused if another number matches now.",
    )
    revisions: dict[Key, int] = Field(
        default={},
        max_length=MOST_IDS,
        description="The revisions that documents must have. A document with another revision is not changed.",
    )


class NewBatch(BatchRequest):
    """A batch to be started."""

    key: Id = Field(
        description="Chosen by the client, for example a random ID. A repeated request with the same key returns the "
        "batch that the first request has started."
    )
    comment: Comment = Field("", description="The reason for the change, for the audit.")
    ticket: Ticket = Field("", description="The number of a ticket, for the audit log.")


class BatchTarget(View):
    """The result for one document."""

    id: str
    result: Literal["done", "unchanged", "refused", "pending"]
    message: str | None = Field(description="Why the document was refused.")


class BatchTargetList(ListView):
    """One page of the report of a batch."""

    items: list[BatchTarget]


class BatchRefusal(View):
    """A reason for refusals, and the number of documents it applies to."""

    message: str
    count: int


class BatchPreviewView(View):
    """The effect of a batch; nothing was written."""

    total: int
    done: int = Field(description="How many documents would change.")
    unchanged: int = Field(description="How many documents already have the requested state.")
    refused: int = Field(description="How many documents would be refused.")
    transactions: int = Field(description="With more than one, other changes can happen between the transactions.")
    refusals: list[BatchRefusal]
    items: list[BatchTarget] = Field(description="The first documents; those that would be refused come first.")


class BatchView(View):
    """A batch and its progress."""

    id: str
    key: str
    kind: str
    action: str
    arguments: dict[str, Any]
    comment: str
    ticket: str
    status: Literal["running", "interrupted", "done", "cancelled"] = Field(
        description="An interrupted batch continues when it is resumed, with the first document that was not changed."
    )
    problem: str | None = Field(description="Why the batch could not continue.")
    total: int
    done: int
    unchanged: int
    refused: int
    created: datetime
    created_by: str
    updated: datetime = Field(description="The time of the last progress.")


class BatchList(ListView):
    """One page of batches."""

    items: list[BatchView]
