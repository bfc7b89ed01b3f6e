"""Feedback."""

from rostrum.manager.feedback.repository import Feedbacks
from rostrum.manager.feedback.service import FeedbackService
from rostrum.manager.kinds import Kind
from rostrum.manager.quotas.service import Quotas
from rostrum.manager.topic import Purge, Topic, older_than

TOPIC = Topic(
    services=lambda parts: {"feedback": FeedbackService(parts.storage, Quotas.of(parts.config))},
    routes=("feedback.routes",),
    repositories={Kind.FEEDBACK: Feedbacks},
    purges=(
        Purge(
            lambda work, config: older_than(work, config.purge_feedback_after_days, work.of(Feedbacks).purge),
            "feedback",
            Kind.FEEDBACK,
        ),
    ),
)
