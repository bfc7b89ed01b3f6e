"""App directories for agents that cannot sign in: secret addresses with the apps of one user or group."""

import hashlib
import secrets
from dataclasses import dataclass, field
from datetime import datetime

from rostrum.base.errors import Invalid, RostrumError
from rostrum.base.ids import new_id
from rostrum.base.problems import Problem
from rostrum.contracts.directories import NewDirectory
from rostrum.manager.access.identity import Identity
from rostrum.manager.access.permissions import Permission
from rostrum.manager.access.policy import require
from rostrum.manager.database import tables
from rostrum.manager.database.paging import Page, Query
from rostrum.manager.errors import Conflict, NotFound
from rostrum.manager.groups.model import expand
from rostrum.manager.groups.repository import Groups
from rostrum.manager.kinds import Kind
from rostrum.manager.records import SECRET, Records, listing, stored_as
from rostrum.manager.storage import Storage
from rostrum.manager.topic import Topic
from rostrum.manager.users.repository import Users

_MOST = 1000
"""The maximum number of addresses; administrators must be able to review all of them."""


_ADDRESS = tables.directory_addresses.c


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryAddress:
    """The address of an app directory that is read without credentials.

    Attributes:
        key_hash: The hash of the secret part of the address.
        user: The user whose apps it provides, or ``None``.
        group: The group whose apps it provides, or ``None``.

    """

    id: str
    key_hash: str = field(metadata=SECRET)
    user: str | None = field(metadata=stored_as("user_id"))
    group: str | None = field(metadata=stored_as("group_name"))
    description: str
    created: datetime
    created_by: str


class DirectoryAddresses(Records[DirectoryAddress]):
    """The directory addresses of one transaction."""

    kind = Kind.DIRECTORY
    table = tables.directory_addresses
    record = DirectoryAddress
    listing = listing(DirectoryAddress, tables.directory_addresses, "description")
    audited = ("user", "group", "description")

    async def with_key(self, key_hash: str) -> DirectoryAddress | None:
        """Read the address with this key, of which only the hash is stored."""
        return next(iter(await self.find(_ADDRESS.key_hash == key_hash)), None)


class UnknownDirectory(NotFound):
    """No directory exists at an address. The address is a secret, so the message does not repeat it."""

    def __init__(self) -> None:
        RostrumError.__init__(self, "there is no app directory at this address, or the address was revoked")


class DirectoryService:
    """Addresses of app directories: created, listed and revoked by administrators, read by everybody who has one."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def create(self, identity: Identity, body: NewDirectory) -> tuple[DirectoryAddress, str]:
        """Create an address, and return its key; only the hash of the key is stored."""
        require(identity, Permission.APPS_WRITE)
        key = secrets.token_urlsafe(32)
        async with self._storage.write(identity.user) as work:
            if body.user is not None and await work.of(Users).login(body.user) is None:
                raise _unknown("user", body.user)
            if body.group is not None and await work.of(Groups).get(body.group) is None:
                raise _unknown("group", body.group)
            if await work.of(DirectoryAddresses).count() >= _MOST:
                raise Conflict(f"there are {_MOST} directory addresses already: revoke those that are not used")
            address = DirectoryAddress(
                id=new_id(),
                key_hash=_hash(key),
                created=work.now,
                created_by=identity.user,
                **dict(body),
            )
            await work.of(DirectoryAddresses).add(address)
        return address, key

    async def page(self, identity: Identity, query: Query) -> Page[DirectoryAddress]:
        require(identity, Permission.APPS_READ)
        async with self._storage.read() as work:
            return await work.of(DirectoryAddresses).page(query)

    async def revoke(self, identity: Identity, address_id: str) -> None:
        """Revoke an address; it no longer provides apps."""
        require(identity, Permission.APPS_WRITE)
        async with self._storage.write(identity.user) as work:
            if not await work.of(DirectoryAddresses).remove(address_id):
                raise NotFound("directory address", address_id)

    async def viewer(self, key: str) -> Identity:
        """Return the viewer whose apps the address with this key provides."""
        async with self._storage.read() as work:
            address = await work.of(DirectoryAddresses).with_key(_hash(key))
            if address is None:
                raise UnknownDirectory
            graph = await work.of(Groups).graph()
            if address.group is not None:
                groups = expand([address.group], graph)
            else:
                login = await work.of(Users).login(address.user or "")
                if login is None or login.disabled:
                    raise UnknownDirectory
                groups = expand(login.groups, graph)
        # It provides apps only: the rights of the groups are omitted.
        return Identity(user=address.user or "", groups=frozenset(groups), permissions=frozenset())


def _hash(key: str) -> str:
    # The key is random and long, so a fast hash is sufficient.
    return hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()


def _unknown(member: str, name: str) -> Invalid:
    message = f"there is no {member} {name!r}"
    return Invalid(message, [Problem(path=member, message=message)])


TOPIC = Topic(
    services=lambda parts: {"directories": DirectoryService(parts.storage)},
    routes=("directories.routes",),
    repositories={Kind.DIRECTORY: DirectoryAddresses},
    on_removed={
        Kind.USER: lambda work, user: work.of(DirectoryAddresses).remove_where(_ADDRESS.user_id == user),
        Kind.GROUP: lambda work, name: work.of(DirectoryAddresses).remove_where(_ADDRESS.group_name == name),
    },
)
