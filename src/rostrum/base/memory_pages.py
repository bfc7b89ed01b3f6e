"""Gives memory back to the system that a library holds but does not use."""

import ctypes
import mmap
import sys

_madvise = ctypes.CDLL(None).madvise if sys.platform == "linux" else None


def free_pages(unused: memoryview) -> None:
    """Free the memory of a buffer whose contents are no longer needed; it stays usable. Other systems keep it."""
    if _madvise is None or not unused:
        return
    start = ctypes.addressof(ctypes.c_char.from_buffer(unused))
    first = -(-start // mmap.PAGESIZE) * mmap.PAGESIZE
    size = (start + len(unused)) // mmap.PAGESIZE * mmap.PAGESIZE - first
    if size > 0:
        _madvise(ctypes.c_void_p(first), ctypes.c_size_t(size), mmap.MADV_DONTNEED)
