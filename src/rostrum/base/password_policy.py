"""Which passwords may be set: long enough, and none of those that everybody tries first."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

DEFAULT_MIN_LENGTH = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordPolicy:
    """The rules for new passwords; passwords that are already stored keep working.

    Attributes:
        min_length: Least number of characters.
        refuse_common: Whether the 1,000 most common passwords are refused, in upper or lower case.

    """

    min_length: int = DEFAULT_MIN_LENGTH
    refuse_common: bool = True

    def problem(self, password: str) -> str | None:
        """Describe why a password cannot be set; ``None`` if it can."""
        if len(password) < self.min_length:
            return f"must have at least {self.min_length} characters"
        if self.refuse_common and password.casefold() in _common():
            return "must not be one of the most common passwords"
        return None


@cache
def _common() -> frozenset[str]:
    # Collected from published breaches, the most frequent first.
    text = files("rostrum.base").joinpath("common_passwords.txt").read_text("utf-8")
    return frozenset(text.casefold().split("\n")) - {""}
