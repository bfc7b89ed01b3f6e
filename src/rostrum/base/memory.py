"""Keeps large, short-lived blocks of memory from staying with the process."""

import ctypes
from contextlib import suppress

__all__ = ["give_large_blocks_back"]

_MMAP_THRESHOLD = -3
_MIB = 1024 * 1024


def give_large_blocks_back() -> None:
    """Tell the C library to return blocks of a megabyte and more to the system when they are freed.

    glibc raises this limit by itself once a large block was freed, and then keeps such blocks: one password check
    (19 MiB for Argon2) would stay resident for good. Other C libraries do not have the call, nor the habit.
    """
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _MIB)
