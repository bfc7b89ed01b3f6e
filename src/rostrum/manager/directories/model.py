"""Addresses of app directories."""

from datetime import datetime

from msgspec import Struct


class DirectoryAddress(Struct, frozen=True, kw_only=True):
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
