"""Examines a manager's set-up from end to end, and changes nothing."""

from rostrum.manager.doctor.examine import examine
from rostrum.manager.doctor.finding import Finding, Verdict

__all__ = ["Finding", "Verdict", "examine"]
