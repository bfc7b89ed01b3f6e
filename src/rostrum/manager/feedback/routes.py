"""Feedback: sent by users, reviewed by administrators."""

from typing import Annotated, Any

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter

from rostrum.contracts.reports import (
    FeedbackList,
    FeedbackReceipt,
    FeedbackReview,
    FeedbackView,
    NewNote,
    NoteList,
    NoteView,
)
from rostrum.manager.access.permissions import Permission
from rostrum.manager.feedback.service import FeedbackService
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, created, document, expected_revisions, nothing
from rostrum.manager.http.uploads import download, read_form
from rostrum.manager.records import as_json
from rostrum.manager.reports.model import Note
from rostrum.manager.topic import Routes

FeedbackKey = Annotated[str, PathParameter(description="The feedback's id.", max_length=64)]


@post("/feedback", operation_id="sendFeedback", tags=["client"], **answers(201, FeedbackReceipt, 403, 409, 413, 415))
async def receive_feedback(request: ManagerRequest, feedback: Part[FeedbackService]) -> Response[Any]:
    """Save feedback: a multipart form with `description` and, optionally, the file `attachment`."""
    fields, attachment = await read_form(request, "attachment")
    session = request.auth.claims.session if request.auth.claims else None
    item = await feedback.receive(request.user, fields.get("description", ""), attachment, session)
    base = request.url.path.rstrip("/").removesuffix("/feedback")
    return created({"id": item.id}, None, f"{base}/admin/feedback/{item.id}")


@get(
    "/admin/feedback",
    operation_id="listFeedback",
    tags=["feedback"],
    **answers(200, FeedbackList, 304, 403, right=Permission.FEEDBACKS_READ),
)
async def list_feedback(request: ManagerRequest, feedback: Part[FeedbackService], wanted: Wanted) -> Response[Any]:
    """List feedback; filters: user, session, description, reviewed, reviewedBy, status, assignee."""
    page = await feedback.page(request.user, wanted)
    return answer(request, page_view(page, as_json))


@get(
    "/admin/feedback/{feedback_id:str}",
    operation_id="readFeedback",
    tags=["feedback"],
    **answers(200, FeedbackView, 304, 403, 404, right=Permission.FEEDBACKS_READ),
)
async def read_feedback(
    request: ManagerRequest, feedback: Part[FeedbackService], feedback_id: FeedbackKey
) -> Response[Any]:
    """Read a feedback."""
    item = await feedback.get(request.user, feedback_id)
    return document(request, as_json(item), item.revision)


@get(
    "/admin/feedback/{feedback_id:str}/attachment",
    operation_id="readAttachment",
    tags=["feedback"],
    **answers(200, bytes, 403, 404, media_type="application/octet-stream", right=Permission.FEEDBACKS_READ),
)
async def read_attachment(
    request: ManagerRequest, feedback: Part[FeedbackService], feedback_id: FeedbackKey
) -> Response[Any]:
    """Download the attachment of a feedback."""
    return download(*await feedback.open_file(request.user, feedback_id))


@patch(
    "/admin/feedback/{feedback_id:str}",
    operation_id="reviewFeedback",
    tags=["feedback"],
    **answers(200, FeedbackView, 403, 404, 412, 413, right=Permission.FEEDBACKS_WRITE),
)
async def review_feedback(
    request: ManagerRequest, feedback: Part[FeedbackService], feedback_id: FeedbackKey, data: JSONBody[FeedbackReview]
) -> Response[Any]:
    """Set the status or the assignee of a feedback, mark it as reviewed, comment on it.

    A feedback is reviewed if its status is not new.
    """
    item = await feedback.review(request.user, feedback_id, data, expected_revisions(request))
    return document(request, as_json(item), item.revision)


@get(
    "/admin/feedback/{feedback_id:str}/notes",
    operation_id="listFeedbackNotes",
    tags=["feedback"],
    **answers(200, NoteList, 304, 403, 404, right=Permission.FEEDBACKS_READ),
)
async def list_notes(
    request: ManagerRequest, feedback: Part[FeedbackService], feedback_id: FeedbackKey
) -> Response[Any]:
    """List the notes about a feedback, oldest first."""
    return answer(request, page_view(await feedback.notes(request.user, feedback_id), Note.as_json))


@post(
    "/admin/feedback/{feedback_id:str}/notes",
    operation_id="addFeedbackNote",
    tags=["feedback"],
    **answers(201, NoteView, 403, 404, 409, 413, right=Permission.FEEDBACKS_WRITE),
)
async def add_note(
    request: ManagerRequest, feedback: Part[FeedbackService], feedback_id: FeedbackKey, data: JSONBody[NewNote]
) -> Response[Any]:
    """Add a note to a feedback. Notes cannot be changed; they are deleted with the feedback."""
    note = await feedback.add_note(request.user, feedback_id, data)
    return created(note.as_json(), None, request.url.path)


@delete(
    "/admin/feedback/{feedback_id:str}",
    operation_id="deleteFeedback",
    tags=["feedback"],
    **answers(204, None, 403, 404, 412, right=Permission.FEEDBACKS_WRITE),
)
async def delete_feedback(
    request: ManagerRequest, feedback: Part[FeedbackService], feedback_id: FeedbackKey
) -> Response[None]:
    """Delete a feedback and its file."""
    await feedback.remove(request.user, feedback_id, expected_revisions(request))
    return nothing()


ROUTES = Routes(
    (list_feedback, read_feedback, read_attachment, review_feedback, list_notes, add_note, delete_feedback),
    large=(receive_feedback,),
)
