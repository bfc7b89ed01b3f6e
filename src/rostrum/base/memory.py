"""Memory of a long-lived process: what was loaded stays, what was large and short-lived goes."""

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

    glibc raises this limit by itself once a large block was freed, and then keeps such blocks: one password check
    (19 MiB for Argon2) would stay resident for good. Other C libraries do not have the call, nor the habit.
    """
    import ctypes

    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _MIB)


def load_without_collecting() -> None:
    """Stop looking for garbage while modules are loaded: there is none, and each look walks over all of them."""
    gc.disable()


def freeze_loaded_objects() -> None:
    """Begin to look for garbage, but never again among what was loaded."""
    gc.freeze()
    gc.enable()


@contextmanager
def without_collecting() -> Iterator[None]:
    """Stop looking for garbage while there are large documents: there is none in them, and each look stops all threads.

    It must not last long: what others leave behind meanwhile is found afterwards.
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
