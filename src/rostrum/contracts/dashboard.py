"""The figures of the dashboard. A part that the caller may not read is null."""

from datetime import datetime

from pydantic import Field

from rostrum.contracts.body import View


class CountSince(View):
    """A number of events since a time."""

    count: int
    since: datetime


class CountBetween(View):
    """A number of events in a period."""

    count: int
    since: datetime
    until: datetime


class HaltedRollouts(View):
    """The number of halted roll-outs of each kind."""

    app: int | None
    layout: int | None
    config: int | None


class AppliedCount(View):
    """The number of connected desktops that have applied all changes of a kind, and of those that have not."""

    applied: int
    pending: int


class OutdatedDesktops(View):
    """The connected desktops, by the kind of the changes that they should have applied."""

    apps: AppliedCount
    layouts: AppliedCount
    system_config: AppliedCount


class AttentionView(View):
    """Numbers that need attention unless they are 0."""

    failed_commands: CountSince | None = Field(description="Commands that desktops have answered with a failure.")
    stopped_runs: int | None = Field(description="Command runs that stopped because a limit was exceeded.")
    halted_rollouts: HaltedRollouts
    proposals: int = Field(description="Proposals of others that the caller can approve or reject.")
    crashes: CountSince | None = Field(
        description="Crash reports since the last change of an app, a layout, a configuration file or a group that the "
        "caller may read."
    )
    outdated: OutdatedDesktops | None
    expiring_tokens: CountBetween | None = Field(description="API tokens of all users that expire soon.")


class ChangedDocument(View):
    """A document that has changed."""

    kind: str
    id: str
    name: str = Field(description="The name of the document, if it still exists; otherwise its ID.")
    action: str = Field(description="created, changed or deleted")


class RecentChange(View):
    """A revision: changes that an administrator has made at once."""

    revision: int
    at: datetime
    actor: str
    operation: str = Field(description="Id of the operation; the audit has an entry for the same revision.")
    comment: str
    ticket: str
    changed: int = Field(description="Number of documents that the caller may read.")
    document: ChangedDocument = Field(description="The first of the documents.")


class VersionsView(View):
    """The sessions that were started on each day with each version of the desktop."""

    names: list[str] = Field(description="The most frequent versions, most frequent first.")
    counts: list[list[int]] = Field(description="For each day, the number of sessions with each version.")
    others: list[int] = Field(description="For each day, the number of sessions with other versions.")


class CrashesView(View):
    """The crash reports of each day."""

    counts: list[int]
    changes: list[int] = Field(
        description="For each day, the number of revisions of apps, layouts, configuration files and groups."
    )


class DashboardView(View):
    """The figures of the dashboard."""

    days: list[datetime] = Field(description="The beginnings of the days; the last day continues until now.")
    attention: AttentionView
    changes: list[RecentChange] = Field(description="The newest revisions, newest first.")
    versions: VersionsView | None
    crashes: CrashesView | None
