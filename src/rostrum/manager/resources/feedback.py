"""Feedback: what users wrote, reviewed by administrators."""

from collections.abc import AsyncIterator

from rostrum.base.errors import Invalid
from rostrum.base.ids import new_id
from rostrum.base.problems import Problem
from rostrum.contracts.reports import Review
from rostrum.manager.permissions.identity import Identity
from rostrum.manager.permissions.permissions import Permission
from rostrum.manager.permissions.policy import require
from rostrum.manager.resources.expected import Expected, found, same_revision
from rostrum.manager.resources.reports import keep_file, read_file, review_values
from rostrum.manager.resources.uploads import Upload
from rostrum.manager.storage import Feedback, Page, Query, Storage, StoredFile

__all__ = ["FeedbackResource"]

_LONGEST = 100_000


class FeedbackResource:
    """The feedback of users."""

    def __init__(self, storage: Storage) -> None:
        """Take storage."""
        self._storage = storage

    async def receive(
        self, identity: Identity, description: str, attachment: Upload | None, session: str | None = None
    ) -> Feedback:
        """Keep what the caller wrote."""
        if not description.strip() or len(description) > _LONGEST or "\0" in description:
            message = f"must be text of 1 to {_LONGEST} characters"
            raise Invalid("wrong feedback", [Problem(path="description", message=message)])
        async with self._storage.write(identity.user) as work:
            feedback = Feedback(
                id=new_id(),
                user=identity.user,
                session=session,
                description=description,
                received=work.now,
                attachment=await keep_file(work, attachment, "attachment.zip"),
                revision=work.revision,
            )
            await work.feedback.add(feedback)
        return feedback

    async def page(self, identity: Identity, query: Query) -> Page[Feedback]:
        """List feedback."""
        require(identity, Permission.FEEDBACKS_READ)
        async with self._storage.read() as work:
            return await work.feedback.page(query)

    async def get(self, identity: Identity, feedback_id: str) -> Feedback:
        """Read one feedback."""
        require(identity, Permission.FEEDBACKS_READ)
        async with self._storage.read() as work:
            return found(await work.feedback.get(feedback_id), "feedback", feedback_id)

    async def attachment(self, identity: Identity, feedback_id: str) -> tuple[StoredFile, AsyncIterator[bytes]]:
        """Open the file that came with a feedback."""
        file = found((await self.get(identity, feedback_id)).attachment, "attachment of feedback", feedback_id)
        return file, read_file(self._storage, file)

    async def review(self, identity: Identity, feedback_id: str, body: Review, expected: Expected = None) -> Feedback:
        """Keep what an administrator says of a feedback."""
        require(identity, Permission.FEEDBACKS_WRITE)
        async with self._storage.write(identity.user) as work:
            feedback = found(await work.feedback.get(feedback_id), "feedback", feedback_id)
            same_revision(expected, feedback.revision, "feedback", feedback_id)
            values = review_values(
                identity, body.given(), reviewed=feedback.reviewed, by=feedback.reviewed_by, comment=feedback.comment
            )
            await work.feedback.review(feedback_id, **values, revision=work.revision)
            return found(await work.feedback.get(feedback_id), "feedback", feedback_id)

    async def remove(self, identity: Identity, feedback_id: str, expected: Expected = None) -> None:
        """Delete a feedback and its file."""
        require(identity, Permission.FEEDBACKS_WRITE)
        async with self._storage.write(identity.user) as work:
            feedback = found(await work.feedback.get(feedback_id), "feedback", feedback_id)
            same_revision(expected, feedback.revision, "feedback", feedback_id)
            await work.feedback.remove(feedback_id)
