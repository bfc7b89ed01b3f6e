"""Addresses of app directories."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryAddress:
    """The address of an app directory that is read without credentials.

    Attributes:
        key_hash: The hash of the secret part of the address.
        user: The user whose apps it provides, or ``None``.
        group: The group whose apps it provides, or ``None``.

    """

    id: str
    key_hash: str
    user: str | None
    group: str | None
    description: str
    created: datetime
    created_by: str
