"""Memory settings of long-running processes."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_MMAP_THRESHOLD = -3
_MIB = 1024 * 1024

_lock = threading.Lock()
_pauses = 0


def give_large_blocks_back() -> None:
    """Configure the C library to return blocks of a megabyte and more to the system when they are freed.

    glibc raises this limit by itself once a large block was freed, and then keeps such blocks: one password check (19
    MiB for Argon2) would stay resident permanently. Other C libraries have neither this function nor this behaviour.
    """
    import ctypes

    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _MIB)


def load_without_collecting() -> None:
    """Disable garbage collection while modules are loaded: each run would inspect all modules and find nothing."""
    gc.disable()


def freeze_loaded_objects() -> None:
    """Enable garbage collection, but exclude all objects that exist now."""
    gc.freeze()
    gc.enable()


@contextmanager
def without_collecting() -> Iterator[None]:
    """Disable garbage collection while large documents exist: it finds nothing in them and stops all threads.

    Use it briefly: garbage of other threads is collected only afterwards.
    """
    global _pauses  # noqa: PLW0603 - the collector is one for the whole process
    with _lock:
        _pauses += 1
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            _pauses -= 1
            if not _pauses:
                gc.enable()
