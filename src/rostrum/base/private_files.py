"""Files that only their owner can read; files that other users could have written are rejected."""

import errno
import getpass
import os
import stat
from pathlib import Path

_OTHERS = 0o077


class NotPrivate(OSError):
    """A file may have been written by another user, or other users can read it."""


def os_user() -> str:
    """Return the ID of the operating system user who runs this process."""
    return str(os.geteuid()) if hasattr(os, "geteuid") else getpass.getuser()


def read_private(path: Path, owner: int | None = None, most: int | None = None) -> bytes:
    """Return the content of a file; raise NotPrivate for links and for files that other users own or can access.

    A file with more than ``most`` bytes is rejected, also if it grows meanwhile. Access control lists of Windows are
    not checked.
    """
    # Do not block on a pipe, and do not follow a link.
    flags = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
    try:
        handle = os.open(path, flags)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise NotPrivate(errno.ELOOP, "it is a link; remove it") from None
        raise
    try:
        _refuse(handle, owner)
        with os.fdopen(os.dup(handle), "rb") as file:
            content = file.read() if most is None else file.read(most + 1)
        if most is not None and len(content) > most:
            raise NotPrivate(errno.EFBIG, f"it has more than {most} bytes; remove it")
        return content
    finally:
        os.close(handle)


def _refuse(handle: int, owner: int | None) -> None:
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode):
        raise NotPrivate(errno.EINVAL, "it is not a regular file; remove it")
    if not hasattr(os, "geteuid"):
        return
    if found.st_uid != (os.geteuid() if owner is None else owner):
        raise NotPrivate(errno.EPERM, "another user of this machine owns it; remove it")
    if found.st_mode & _OTHERS and _has_permissions(handle, stat.S_IMODE(found.st_mode)):
        raise NotPrivate(errno.EPERM, "other users of this machine can read or change it; remove it")


def _has_permissions(handle: int, mode: int) -> bool:
    """Return whether the file system supports permissions; on others, such as FAT, all files seem open to all users."""
    os.fchmod(handle, mode & ~_OTHERS)
    try:
        return not os.fstat(handle).st_mode & _OTHERS
    finally:
        # Remove a file that others could change, so that it is not used later either.
        os.fchmod(handle, mode)
