"""What one check of a document remembers while the models walk it."""

from dataclasses import dataclass, field

from pydantic_core import PydanticCustomError

_LARGEST = 50_000


@dataclass(slots=True)
class Inspection:
    """Notes of one walk, handed to the models as pydantic's validation context.

    Attributes:
        names: the members known to an object that has others too, by the object's id.
        seen: values looked at so far; each may be wrong, and each fault costs memory.

    """

    names: dict[int, frozenset[str]] = field(default_factory=dict)
    seen: int = 0


def charge(context: object, values: int) -> None:
    """Count values about to be looked at, and stop when no real document has so many."""
    if not isinstance(context, Inspection):
        return
    context.seen += values
    if context.seen > _LARGEST:
        raise PydanticCustomError("too_large", "is too large", {"most": _LARGEST})
