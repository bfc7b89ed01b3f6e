"""The dependencies of handlers, which are part of each request.

A handler receives a service by the name that its topic declares: ``views: Part[SavedViewService]``. The marker makes
the framework refuse a handler with a name that is not a part. `manager/web.py` passes the parts.
"""

from typing import TypeAlias, TypeVar

from litestar.di import NamedDependency

from rostrum.manager.database.paging import Query

PARTS = "rostrum.parts"
"""The key of the dependencies in the scope of a request."""

_Part = TypeVar("_Part")

Part: TypeAlias = NamedDependency[_Part]
Wanted = Part[Query]
