"""The parts that handlers ask for by name; they come with each request."""

from litestar.di import NamedDependency

from rostrum.manager.access.service import EffectiveResource
from rostrum.manager.apps.service import AppResource
from rostrum.manager.apps.shared import SharedApps
from rostrum.manager.audit.service import AuditResource
from rostrum.manager.auth.anonymous import AnonymousUploads
from rostrum.manager.auth.authenticator import Authenticator
from rostrum.manager.auth.sessions import LoginSessions
from rostrum.manager.commands.service import CommandResource
from rostrum.manager.config import ManagerConfig
from rostrum.manager.configs.explanations import ExplanationResource
from rostrum.manager.configs.service import SystemConfigResource
from rostrum.manager.crashes.service import CrashResource
from rostrum.manager.database.query import Query
from rostrum.manager.directories.service import DirectoryResource
from rostrum.manager.events.live import LiveUpdates
from rostrum.manager.feedback.service import FeedbackResource
from rostrum.manager.groups.service import GroupResource
from rostrum.manager.history.rollback import RollbackResource
from rostrum.manager.history.service import HistoryResource
from rostrum.manager.http.cookies import SessionCookies
from rostrum.manager.http.metrics import Metrics
from rostrum.manager.layouts.own import OwnLayoutResource
from rostrum.manager.layouts.service import LayoutResource
from rostrum.manager.machines.service import MachineResource
from rostrum.manager.preferences.service import PreferenceResource
from rostrum.manager.preview.service import PreviewResource
from rostrum.manager.quotas.service import UsageResource
from rostrum.manager.receipts.service import ReceiptResource
from rostrum.manager.sessions.contacts import SessionContacts
from rostrum.manager.sessions.service import SessionResource
from rostrum.manager.status.service import ServerResource
from rostrum.manager.storage import Storage
from rostrum.manager.transfer.service import TransferResource
from rostrum.manager.users.service import UserResource

PARTS = "rostrum.parts"
"""Where the scope of a request holds the parts by name."""

AuthenticatorPart = NamedDependency[Authenticator]
AnonymousPart = NamedDependency[AnonymousUploads]
AppsPart = NamedDependency[AppResource]
AuditPart = NamedDependency[AuditResource]
CommandsPart = NamedDependency[CommandResource]
ConfigPart = NamedDependency[ManagerConfig]
ConfigsPart = NamedDependency[SystemConfigResource]
ContactsPart = NamedDependency[SessionContacts]
CrashesPart = NamedDependency[CrashResource]
DirectoriesPart = NamedDependency[DirectoryResource]
EffectivePart = NamedDependency[EffectiveResource]
ExplanationsPart = NamedDependency[ExplanationResource]
FeedbackPart = NamedDependency[FeedbackResource]
GroupsPart = NamedDependency[GroupResource]
HistoryPart = NamedDependency[HistoryResource]
LayoutsPart = NamedDependency[LayoutResource]
LivePart = NamedDependency[LiveUpdates]
LoginsPart = NamedDependency[LoginSessions]
MachinesPart = NamedDependency[MachineResource]
MetricsPart = NamedDependency[Metrics]
OwnLayoutsPart = NamedDependency[OwnLayoutResource]
PreferencesPart = NamedDependency[PreferenceResource]
PreviewsPart = NamedDependency[PreviewResource]
ReceiptsPart = NamedDependency[ReceiptResource]
RollbackPart = NamedDependency[RollbackResource]
ServerPart = NamedDependency[ServerResource]
SessionCookiesPart = NamedDependency[SessionCookies]
SessionsPart = NamedDependency[SessionResource]
SharedAppsPart = NamedDependency[SharedApps]
StoragePart = NamedDependency[Storage]
TransferPart = NamedDependency[TransferResource]
UsagePart = NamedDependency[UsageResource]
UsersPart = NamedDependency[UserResource]
Wanted = NamedDependency[Query]
