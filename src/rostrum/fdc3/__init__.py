"""The FDC3 2.2 desktop agent, without transport: every platform of a user can run it."""

from rostrum.fdc3.agent import DesktopAgent
from rostrum.fdc3.directory import Directory
from rostrum.fdc3.limits import Limits, Timeouts
from rostrum.fdc3.user_channels import UserChannel, user_channels

__all__ = ["DesktopAgent", "Directory", "Limits", "Timeouts", "UserChannel", "user_channels"]
