"""Feedback of users, reviewed by administrators."""

from rostrum.base.errors import Invalid
from rostrum.base.ids import new_id
from rostrum.base.problems import Problem
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.feedback.model import Feedback
from rostrum.manager.files.model import Upload
from rostrum.manager.reports.service import ReportService

_LONGEST = 60_000
_QUOTAS = ("feedback", "feedbackBytes")


class FeedbackService(ReportService[Feedback]):
    """The feedback of users."""

    kind = "feedback"
    part = "feedback"
    file = "attachment"
    reading = Permission.FEEDBACKS_READ
    writing = Permission.FEEDBACKS_WRITE

    async def receive(
        self, identity: Identity, description: str, attachment: Upload | None, session: str | None = None
    ) -> Feedback:
        """Store feedback of the caller."""
        if not description.strip() or len(description) > _LONGEST or "\0" in description:
            message = f"must be text of 1 to {_LONGEST} characters"
            raise Invalid("wrong feedback", [Problem(path="description", message=message)])
        async with self._storage.read() as work:
            used = await work.usage.feedback(identity.user)
        async with (
            self._stored(attachment, "attachment.zip", used, _QUOTAS) as file,
            self._storage.write(identity.user) as work,
        ):
            await self._register(work, file, await work.usage.feedback(identity.user), _QUOTAS)
            feedback = Feedback(
                id=new_id(),
                user=identity.user,
                session=session,
                description=description,
                received=work.now,
                attachment=file,
                revision=work.revision,
            )
            await work.feedback.add(feedback)
        return feedback
