"""All topics of the manager, and the storage with what they declare."""

from collections.abc import Sequence
from functools import partial
from itertools import chain

from rostrum.manager.api_tokens import topic as api_tokens
from rostrum.manager.approval import topic as approval
from rostrum.manager.apps import topic as apps
from rostrum.manager.audit import topic as audit
from rostrum.manager.batches import topic as batches
from rostrum.manager.browser_platform import topic as browser_platform
from rostrum.manager.command_runs import topic as command_runs
from rostrum.manager.commands import topic as commands
from rostrum.manager.comparisons import topic as comparisons
from rostrum.manager.configs import topic as configs
from rostrum.manager.crash_groups import topic as crash_groups
from rostrum.manager.crashes import topic as crashes
from rostrum.manager.dashboard import topic as dashboard
from rostrum.manager.database.transaction import OnRemoved
from rostrum.manager.directories import topic as directories
from rostrum.manager.effective import topic as effective
from rostrum.manager.events import topic as events
from rostrum.manager.feedback import topic as feedback
from rostrum.manager.files import topic as files
from rostrum.manager.groups import topic as groups
from rostrum.manager.history import topic as history
from rostrum.manager.kinds import Kind
from rostrum.manager.layouts import topic as layouts
from rostrum.manager.machines import topic as machines
from rostrum.manager.password_links import topic as password_links
from rostrum.manager.preferences import topic as preferences
from rostrum.manager.preview import topic as preview
from rostrum.manager.proposals import topic as proposals
from rostrum.manager.quotas import topic as quotas
from rostrum.manager.receipts import topic as receipts
from rostrum.manager.rollouts import topic as rollouts
from rostrum.manager.sessions import topic as sessions
from rostrum.manager.sign_in import topic as sign_in
from rostrum.manager.status import topic as status
from rostrum.manager.storage import Storage, StorageParts
from rostrum.manager.topic import Topic
from rostrum.manager.transfer import topic as transfer
from rostrum.manager.users import topic as users
from rostrum.manager.views import topic as views

TOPICS: tuple[Topic, ...] = (
    users.TOPIC,
    groups.TOPIC,
    apps.TOPIC,
    preferences.TOPIC,
    configs.TOPIC,
    layouts.TOPIC,
    effective.TOPIC,
    comparisons.TOPIC,
    preview.TOPIC,
    directories.TOPIC,
    command_runs.TOPIC,
    commands.TOPIC,
    sessions.TOPIC,
    machines.TOPIC,
    crashes.TOPIC,
    crash_groups.TOPIC,
    feedback.TOPIC,
    events.TOPIC,
    receipts.TOPIC,
    sign_in.TOPIC,
    api_tokens.TOPIC,
    password_links.TOPIC,
    rollouts.TOPIC,
    batches.TOPIC,
    approval.TOPIC,
    proposals.TOPIC,
    history.TOPIC,
    files.TOPIC,
    audit.TOPIC,
    dashboard.TOPIC,
    views.TOPIC,
    quotas.TOPIC,
    browser_platform.TOPIC,
    status.TOPIC,
    transfer.TOPIC,
)
"""The order is that of services that need others, of what is deleted with an object, and of the daily deletion."""


def _on_removed(kind: Kind) -> Sequence[OnRemoved]:
    return [topic.on_removed[kind] for topic in TOPICS if kind in topic.on_removed]


STORAGE_PARTS = StorageParts(
    repositories={kind: repository for topic in TOPICS for kind, repository in topic.repositories.items()},
    on_removed={kind: _on_removed(kind) for kind in Kind},
    before_commit=tuple(chain.from_iterable(topic.before_commit for topic in TOPICS)),
    on_disabled=[topic.on_disabled for topic in TOPICS if topic.on_disabled is not None],
    revoke_credentials=[topic.revoke_credentials for topic in TOPICS if topic.revoke_credentials is not None],
    stop_planned=[topic.stop_planned for topic in TOPICS if topic.stop_planned is not None],
)

manager_storage = partial(Storage, parts=STORAGE_PARTS)
"""Prepares to open a database, with what all topics declare for its transactions."""
