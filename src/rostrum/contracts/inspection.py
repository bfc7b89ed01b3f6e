"""What one check of a document remembers while the models walk it."""

from dataclasses import dataclass, field

__all__ = ["Inspection"]

_ENOUGH = 5000


@dataclass(slots=True)
class Inspection:
    """Notes of one walk, handed to the models as pydantic's validation context.

    Attributes:
        names: the members known to an object that has others too, by the object's id.
        spent: faults met in lists so far; each level of nesting counts its own again.

    """

    names: dict[int, frozenset[str]] = field(default_factory=dict)
    spent: int = 0

    @property
    def has_enough(self) -> bool:
        """Tell whether so much is wrong that looking further only costs memory."""
        return self.spent > _ENOUGH
