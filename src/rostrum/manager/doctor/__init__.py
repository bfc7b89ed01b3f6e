"""Examines a manager's set-up from end to end, and changes nothing."""

from rostrum.manager.doctor.examine import examine
from rostrum.manager.doctor.finding import CheckResult, Verdict

__all__ = ["CheckResult", "Verdict", "examine"]
