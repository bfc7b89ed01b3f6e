"""Gives memory back to the system that a library holds but does not use."""

import ctypes
import mmap
import sys

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
_madvise = None if _libc is None else _libc.madvise
# Only the GNU library keeps much freed memory, and only this one has the function.
_is_gnu = hasattr(_libc, "malloc_trim")
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3


def free_pages(unused: memoryview) -> None:
    """Free the memory of a buffer whose contents are no longer needed; it stays usable. Other systems keep it."""
    if _madvise is None or not unused:
        return
    start = ctypes.addressof(ctypes.c_char.from_buffer(unused))
    first = -(-start // mmap.PAGESIZE) * mmap.PAGESIZE
    size = (start + len(unused)) // mmap.PAGESIZE * mmap.PAGESIZE - first
    if size > 0:
        _madvise(ctypes.c_void_p(first), ctypes.c_size_t(size), mmap.MADV_DONTNEED)


def free_at_once(size: int) -> None:
    """Have the C library give memory back as soon as it is freed, if it is a piece of this size.

    Without this, the GNU library keeps such memory from the second time on, and writes zeros to all of it at once.
    """
    if _is_gnu and _libc is not None:
        _libc.mallopt(_MMAP_THRESHOLD, size)
        # The ratio of the library.
        _libc.mallopt(_TRIM_THRESHOLD, 2 * size)
