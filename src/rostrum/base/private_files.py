"""Files for their owner alone: nobody else can read them, and one that others could have written is not believed."""

import errno
import getpass
import os
import stat
from pathlib import Path

_OTHERS = 0o077


class NotPrivate(OSError):
    """A file is not what its owner wrote for the owner alone."""


def os_user() -> str:
    """Return what identifies the user of the operating system who runs this process."""
    return str(os.geteuid()) if hasattr(os, "geteuid") else getpass.getuser()


def read_private(path: Path, owner: int | None = None) -> bytes:
    """Return the content of a file; raise NotPrivate for a link, for a file of another user, or one open to others.

    Access control lists of Windows are not checked.
    """
    # A pipe in place of the file must not block, and a link must not lead elsewhere.
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
            return file.read()
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
    """Return whether the file system knows permissions; on others, such as FAT, every file looks open to everybody."""
    os.fchmod(handle, mode & ~_OTHERS)
    try:
        return not os.fstat(handle).st_mode & _OTHERS
    finally:
        # What others could change is not to be believed the next time either.
        os.fchmod(handle, mode)
