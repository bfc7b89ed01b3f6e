"""The dependencies of handlers, which are part of each request."""

from litestar.di import NamedDependency

from rostrum.manager.access.service import EffectiveService
from rostrum.manager.api_tokens.service import ApiTokenService
from rostrum.manager.apps.service import AppService
from rostrum.manager.apps.shared import SharedApps
from rostrum.manager.audit.service import AuditService
from rostrum.manager.auth.anonymous import AnonymousUploads
from rostrum.manager.auth.authenticator import Authenticator
from rostrum.manager.auth.confirmation import Confirmations
from rostrum.manager.auth.sessions import LoginSessions
from rostrum.manager.batches.service import BatchService
from rostrum.manager.batches.user_imports import UserImportService
from rostrum.manager.command_runs.service import CommandRunService
from rostrum.manager.commands.service import CommandService
from rostrum.manager.comparisons.service import ComparisonService
from rostrum.manager.config import ManagerConfig
from rostrum.manager.configs.explanations import ExplanationService
from rostrum.manager.configs.service import SystemConfigService
from rostrum.manager.crash_groups.service import CrashGroupService
from rostrum.manager.crashes.service import CrashService
from rostrum.manager.dashboard.service import DashboardService
from rostrum.manager.database.paging import Query
from rostrum.manager.directories.service import DirectoryService
from rostrum.manager.events.live import LiveUpdates
from rostrum.manager.feedback.service import FeedbackService
from rostrum.manager.groups.service import GroupService
from rostrum.manager.history.rollback import RollbackService
from rostrum.manager.history.service import HistoryService
from rostrum.manager.http.cookies import SessionCookies
from rostrum.manager.http.metrics import Metrics
from rostrum.manager.layouts.own import OwnLayoutService
from rostrum.manager.layouts.service import LayoutService
from rostrum.manager.machines.service import MachineService
from rostrum.manager.password_links.service import PasswordLinkService
from rostrum.manager.preferences.service import PreferenceService
from rostrum.manager.preview.service import PreviewService
from rostrum.manager.proposals.service import ProposalService
from rostrum.manager.quotas.service import UsageService
from rostrum.manager.receipts.service import ReceiptService
from rostrum.manager.rollouts.service import RolloutService
from rostrum.manager.sessions.contacts import SessionContacts
from rostrum.manager.sessions.service import SessionService
from rostrum.manager.status.service import ServerService
from rostrum.manager.storage import Storage
from rostrum.manager.transfer.service import TransferService
from rostrum.manager.users.service import UserService
from rostrum.manager.views.service import SavedViewService

PARTS = "rostrum.parts"
"""The key of the dependencies in the scope of a request."""

# `manager/web.py` passes the parts. The markers make the framework refuse a handler with a name that is not a part.
AuthenticatorPart = NamedDependency[Authenticator]
AnonymousPart = NamedDependency[AnonymousUploads]
PasswordLinksPart = NamedDependency[PasswordLinkService]
ApiTokensPart = NamedDependency[ApiTokenService]
AppsPart = NamedDependency[AppService]
AuditPart = NamedDependency[AuditService]
BatchesPart = NamedDependency[BatchService]
UserImportsPart = NamedDependency[UserImportService]
CommandRunsPart = NamedDependency[CommandRunService]
CommandsPart = NamedDependency[CommandService]
ComparisonsPart = NamedDependency[ComparisonService]
ConfigPart = NamedDependency[ManagerConfig]
ConfigsPart = NamedDependency[SystemConfigService]
ConfirmationsPart = NamedDependency[Confirmations]
ContactsPart = NamedDependency[SessionContacts]
CrashGroupsPart = NamedDependency[CrashGroupService]
CrashesPart = NamedDependency[CrashService]
DashboardPart = NamedDependency[DashboardService]
DirectoriesPart = NamedDependency[DirectoryService]
EffectivePart = NamedDependency[EffectiveService]
ExplanationsPart = NamedDependency[ExplanationService]
FeedbackPart = NamedDependency[FeedbackService]
GroupsPart = NamedDependency[GroupService]
HistoryPart = NamedDependency[HistoryService]
LayoutsPart = NamedDependency[LayoutService]
LivePart = NamedDependency[LiveUpdates]
LoginsPart = NamedDependency[LoginSessions]
MachinesPart = NamedDependency[MachineService]
MetricsPart = NamedDependency[Metrics]
OwnLayoutsPart = NamedDependency[OwnLayoutService]
PreferencesPart = NamedDependency[PreferenceService]
PreviewsPart = NamedDependency[PreviewService]
ProposalsPart = NamedDependency[ProposalService]
ReceiptsPart = NamedDependency[ReceiptService]
RollbackPart = NamedDependency[RollbackService]
RolloutsPart = NamedDependency[RolloutService]
ServerPart = NamedDependency[ServerService]
SessionCookiesPart = NamedDependency[SessionCookies]
SessionsPart = NamedDependency[SessionService]
SharedAppsPart = NamedDependency[SharedApps]
StoragePart = NamedDependency[Storage]
TransferPart = NamedDependency[TransferService]
UsagePart = NamedDependency[UsageService]
UsersPart = NamedDependency[UserService]
ViewsPart = NamedDependency[SavedViewService]
Wanted = NamedDependency[Query]
