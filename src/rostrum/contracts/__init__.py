"""The JSON that manager, desktop and browsers exchange: app definitions, layouts, preferences."""

from rostrum.contracts.apps import AppDefinition, check_app
from rostrum.contracts.fdc3 import Fdc3Record, app_name, check_record, is_fdc3_record, to_record
from rostrum.contracts.layouts import Layout, check_layout
from rostrum.contracts.preferences import AppPreferences

__all__ = [
    "AppDefinition",
    "AppPreferences",
    "Fdc3Record",
    "Layout",
    "app_name",
    "check_app",
    "check_layout",
    "check_record",
    "is_fdc3_record",
    "to_record",
]
