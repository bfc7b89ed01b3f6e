"""The parts that handlers ask for by name; they come with each request."""

from litestar.di import NamedDependency

from rostrum.manager.api.cookies import SessionCookies
from rostrum.manager.api.request_counts import Metrics
from rostrum.manager.api.shared_apps import SharedApps
from rostrum.manager.auth.anonymous import AnonymousUploads
from rostrum.manager.auth.authenticator import Authenticator
from rostrum.manager.auth.sessions import LoginSessions
from rostrum.manager.config import ManagerConfig
from rostrum.manager.events.live import LiveUpdates
from rostrum.manager.resources.apps import AppResource
from rostrum.manager.resources.audit import AuditResource
from rostrum.manager.resources.commands import CommandResource
from rostrum.manager.resources.crashes import CrashResource
from rostrum.manager.resources.directories import DirectoryResource
from rostrum.manager.resources.effective import EffectiveResource
from rostrum.manager.resources.explanations import ExplanationResource
from rostrum.manager.resources.feedback import FeedbackResource
from rostrum.manager.resources.groups import GroupResource
from rostrum.manager.resources.history import HistoryResource
from rostrum.manager.resources.layouts import LayoutResource
from rostrum.manager.resources.machines import MachineResource
from rostrum.manager.resources.own_layouts import OwnLayoutResource
from rostrum.manager.resources.preferences import PreferenceResource
from rostrum.manager.resources.previews import PreviewResource
from rostrum.manager.resources.quotas import UsageResource
from rostrum.manager.resources.receipts import ReceiptResource
from rostrum.manager.resources.rollback import RollbackResource
from rostrum.manager.resources.server import ServerResource
from rostrum.manager.resources.session_contacts import SessionContacts
from rostrum.manager.resources.sessions import SessionResource
from rostrum.manager.resources.system_configs import SystemConfigResource
from rostrum.manager.resources.transfer import TransferResource
from rostrum.manager.resources.users import UserResource
from rostrum.manager.storage import Query, Storage

__all__ = [
    "PARTS",
    "AnonymousPart",
    "AppsPart",
    "AuditPart",
    "AuthenticatorPart",
    "CommandsPart",
    "ConfigPart",
    "ConfigsPart",
    "ContactsPart",
    "CrashesPart",
    "DirectoriesPart",
    "EffectivePart",
    "ExplanationsPart",
    "FeedbackPart",
    "GroupsPart",
    "HistoryPart",
    "LayoutsPart",
    "LivePart",
    "LoginsPart",
    "MachinesPart",
    "MetricsPart",
    "OwnLayoutsPart",
    "PreferencesPart",
    "PreviewsPart",
    "ReceiptsPart",
    "RollbackPart",
    "ServerPart",
    "SessionCookiesPart",
    "SessionsPart",
    "SharedAppsPart",
    "StoragePart",
    "TransferPart",
    "UsagePart",
    "UsersPart",
    "Wanted",
]

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
