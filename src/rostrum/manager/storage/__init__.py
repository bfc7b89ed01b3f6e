"""Where the manager keeps its data; nothing of SQL shows outside this package."""

from rostrum.manager.storage.announcements import ADMINISTRATORS, COMMON, Announcement, EventKind
from rostrum.manager.storage.audit_entry import AuditEntry, shown_changes
from rostrum.manager.storage.audit_preparation import prepares_audit
from rostrum.manager.storage.chain import Chain, ChangeFeed, Ends, Fault, Link
from rostrum.manager.storage.documents import body_text, key_of
from rostrum.manager.storage.errors import Conflict, NoRoom, NotFound, NotKept, Stale, StorageError, Unavailable
from rostrum.manager.storage.file_place import FilePlace, file_place
from rostrum.manager.storage.journal import Change, Journal
from rostrum.manager.storage.kinds import Action, Kind
from rostrum.manager.storage.marks import Marks, Revisions, Topic
from rostrum.manager.storage.origin import Origin, acting, current_origin
from rostrum.manager.storage.query import Page, Query
from rostrum.manager.storage.records import (
    App,
    AppAccess,
    Command,
    ConfigFile,
    Crash,
    DirectoryAddress,
    Feedback,
    Group,
    Layout,
    LayoutAccess,
    Login,
    Machine,
    Person,
    Preference,
    Receipt,
    Revision,
    Scope,
    Session,
    Stamp,
    StoredFile,
    User,
)
from rostrum.manager.storage.sql.activity_times import ActivityRecord
from rostrum.manager.storage.sql.known_addresses import ADDRESSES_KNOWN_FOR
from rostrum.manager.storage.sql.locks import Task
from rostrum.manager.storage.sql.transfer_lines import Incoming, lines_of
from rostrum.manager.storage.sql.usage import Amount
from rostrum.manager.storage.storage import Storage, Work

__all__ = [
    "ADDRESSES_KNOWN_FOR",
    "ADMINISTRATORS",
    "COMMON",
    "Action",
    "ActivityRecord",
    "Amount",
    "Announcement",
    "App",
    "AppAccess",
    "AuditEntry",
    "Chain",
    "Change",
    "ChangeFeed",
    "Command",
    "ConfigFile",
    "Conflict",
    "Crash",
    "DirectoryAddress",
    "Ends",
    "EventKind",
    "Fault",
    "Feedback",
    "FilePlace",
    "Group",
    "Incoming",
    "Journal",
    "Kind",
    "Layout",
    "LayoutAccess",
    "Link",
    "Login",
    "Machine",
    "Marks",
    "NoRoom",
    "NotFound",
    "NotKept",
    "Origin",
    "Page",
    "Person",
    "Preference",
    "Query",
    "Receipt",
    "Revision",
    "Revisions",
    "Scope",
    "Session",
    "Stale",
    "Stamp",
    "Storage",
    "StorageError",
    "StoredFile",
    "Task",
    "Topic",
    "Unavailable",
    "User",
    "Work",
    "acting",
    "body_text",
    "current_origin",
    "file_place",
    "key_of",
    "lines_of",
    "prepares_audit",
    "shown_changes",
]
