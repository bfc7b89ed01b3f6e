"""What a list asks for, and the page it gets."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Which part of a list is wanted.

    Attributes:
        sort: Names of fields, a leading ``-`` for descending.
        text: Words to look for in the fields that are searched.
        filters: Field to the value it must have; ``*`` in it stands for anything.

    """

    limit: int = 50
    offset: int = 0
    sort: tuple[str, ...] = ()
    text: str = ""
    filters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[Item]):
    """One page of a list, and how long the whole list is.

    Attributes:
        more: Whether the list is longer than the total, which is then as far as it was counted.

    """

    items: tuple[Item, ...]
    total: int
    more: bool = False
