"""Diagnostics of a manager's installation. They change nothing."""

from rostrum.manager.doctor.examine import examine
from rostrum.manager.doctor.finding import CheckResult, Verdict

__all__ = ["CheckResult", "Verdict", "examine"]
