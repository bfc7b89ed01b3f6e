"""Manager: the parts of a running manager, without HTTP. Commands that need no server load no web framework."""

import logging
from typing import Any

from msgspec import Struct

from rostrum.base.clock import Clock, SystemClock
from rostrum.base.command_line import CommandLine
from rostrum.base.passwords import Passwords
from rostrum.manager.access.service import EffectiveService
from rostrum.manager.api_tokens.service import ApiTokenService
from rostrum.manager.apps.service import AppService
from rostrum.manager.audit.origin import RequestOrigin, acting
from rostrum.manager.audit.service import AuditService
from rostrum.manager.auth.anonymous import AnonymousUploads
from rostrum.manager.auth.bootstrap import ensure_administrators, sign_in_warnings
from rostrum.manager.auth.sessions import LoginSessions
from rostrum.manager.auth.tokens import Tokens
from rostrum.manager.batches.service import BatchService
from rostrum.manager.batches.user_imports import UserImportService
from rostrum.manager.changes.model import ChangeRules
from rostrum.manager.command_runs.service import CommandRunService
from rostrum.manager.commands.service import CommandService
from rostrum.manager.comparisons.service import ComparisonService
from rostrum.manager.config import ManagerConfig
from rostrum.manager.configs.checks import ConfigChecks
from rostrum.manager.configs.explanations import ExplanationService
from rostrum.manager.configs.service import SystemConfigService
from rostrum.manager.crash_groups.service import CrashGroupService
from rostrum.manager.crashes.service import CrashService
from rostrum.manager.dashboard.service import DashboardService
from rostrum.manager.directories.service import DirectoryService
from rostrum.manager.feedback.service import FeedbackService
from rostrum.manager.files.file_place import file_place
from rostrum.manager.groups.service import GroupService
from rostrum.manager.history.restore import DocumentService
from rostrum.manager.history.rollback import RollbackService
from rostrum.manager.history.service import HistoryService
from rostrum.manager.layouts.own import OwnLayoutService
from rostrum.manager.layouts.service import LayoutService
from rostrum.manager.machines.service import MachineService
from rostrum.manager.password_links.service import PasswordLinkService
from rostrum.manager.preferences.service import PreferenceService
from rostrum.manager.preview.effects import describe_effect
from rostrum.manager.preview.service import PreviewService
from rostrum.manager.proposals.service import ProposalService
from rostrum.manager.quotas.service import Quotas, UsageService
from rostrum.manager.receipts.service import ReceiptService
from rostrum.manager.rollouts.service import RolloutService
from rostrum.manager.sessions.contacts import SessionContacts
from rostrum.manager.sessions.service import SessionService
from rostrum.manager.storage import Storage
from rostrum.manager.transfer.service import TransferService
from rostrum.manager.users.service import UserService
from rostrum.manager.views.service import SavedViewService

_log = logging.getLogger(__name__)

_PAGE_TOKEN_SECONDS = 3600
"""Lifetime of a page's token without session cookies: the session lifetime has no effect then, and pages renew it."""


class Manager(Struct, frozen=True, kw_only=True):
    """The parts of a running manager, without HTTP.

    Attributes:
        command: Writes the commands in warnings at the start; without it, another process logs these warnings.

    """

    config: ManagerConfig
    clock: Clock
    storage: Storage
    passwords: Passwords
    tokens: Tokens
    command: CommandLine | None = None

    @classmethod
    def of(
        cls,
        config: ManagerConfig,
        clock: Clock | None = None,
        passwords: Passwords | None = None,
        command: CommandLine | None = None,
    ) -> "Manager":
        """Create the parts that all others depend on."""
        clock = clock or SystemClock()
        return cls(
            config=config,
            clock=clock,
            storage=Storage(
                config.store,
                clock,
                notify=config.events_notify,
                place=file_place(config.files_folder, config.files_bucket),
                rules=ChangeRules.of(config),
                describe=describe_effect,
            ),
            passwords=passwords or Passwords(),
            tokens=Tokens(config.token_secret, clock),
            command=command,
        )

    def resources(self) -> dict[str, Any]:
        """Create all services, under the names that handlers use."""
        storage, config, quotas = self.storage, self.config, Quotas.of(self.config)
        layouts = LayoutService(storage, quotas)
        batches = BatchService(storage, self.clock, session_idle=config.session_idle)
        users = UserService(storage, self.passwords, config.password_policy)
        services = {
            "users": users,
            "password_links": PasswordLinkService(
                storage, users, self.passwords, self.clock, hours=config.password_links_hours
            ),
            "api_tokens": ApiTokenService(storage, max_days=config.api_tokens_max_days),
            "groups": GroupService(storage),
            "apps": AppService(storage),
            "directories": DirectoryService(storage),
            "layouts": layouts,
            "own_layouts": OwnLayoutService(storage, layouts, quotas),
            "preferences": PreferenceService(storage, quotas),
            "usage": UsageService(storage, quotas),
            "configs": SystemConfigService(storage, ConfigChecks(config.config_check)),
            "explanations": ExplanationService(storage),
            "effective": EffectiveService(storage),
            "comparisons": ComparisonService(storage),
            "previews": PreviewService(storage),
            "sessions": SessionService(storage, quotas, idle_seconds=config.session_idle),
            "contacts": SessionContacts(storage, self.clock, idle_seconds=config.session_idle),
            "receipts": ReceiptService(storage, idle_seconds=config.session_idle),
            "dashboard": DashboardService(storage, idle_seconds=config.session_idle),
            "views": SavedViewService(storage),
            "batches": batches,
            "user_imports": UserImportService(storage, batches),
            "commands": CommandService(storage),
            "command_runs": CommandRunService(storage, idle_seconds=config.session_idle),
            "rollouts": RolloutService(storage, ConfigChecks(config.config_check), idle_seconds=config.session_idle),
            "machines": MachineService(storage),
            "crashes": CrashService(storage, quotas),
            "crash_groups": CrashGroupService(storage),
            "feedback": FeedbackService(storage, quotas),
            "audit": AuditService(storage),
            "history": HistoryService(storage),
            "transfer": TransferService(storage),
            "logins": LoginSessions(
                storage,
                self.tokens,
                client_token_seconds=config.token_expires_in,
                session_seconds=config.session_lifetime if config.use_session_cookie else _PAGE_TOKEN_SECONDS,
            ),
            "anonymous": AnonymousUploads(self.clock, allowed=config.crashes_anonymous),
            "storage": storage,
        }
        documents = [service for service in services.values() if isinstance(service, DocumentService)]
        more = {
            "rollback": RollbackService(storage, documents),
            "proposals": ProposalService(storage, documents, approver_hours=config.approver_hours),
        }
        return {**services, **more}

    async def open(self) -> None:
        """Migrate the database, and ensure that the configured administrators exist."""
        predefined = self.config.predefined_users
        await self.storage.open()
        with acting(RequestOrigin(operation="start")):
            done = await ensure_administrators(
                self.storage, self.passwords, predefined=predefined, exclusive=self.config.auth_exclusive_users
            )
        if self.command is not None:
            for warning in await sign_in_warnings(
                self.storage, self.passwords, predefined=predefined, done=done, command=self.command
            ):
                _log.warning("%s", warning)
        for user_id in done.missing:
            _log.warning("auth_exclusive_users names %r, but there is no such user: add it, then restart", user_id)

    async def close(self) -> None:
        """Close the database and end the threads."""
        await self.storage.close()
        self.passwords.close()
