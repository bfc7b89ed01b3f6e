"""Groups whose names promise a right must be ones that give it."""

import difflib
from collections.abc import Iterable

from rostrum.base.errors import Invalid
from rostrum.base.problems import Problem
from rostrum.manager.access.permissions import ADMIN_GROUP, Permission

_PREFIX = "PLATFORM_"
_KNOWN = frozenset({ADMIN_GROUP, *(permission.value for permission in Permission)})


def refuse_unknown_rights(path: str, groups: Iterable[str]) -> None:
    """Refuse names that look like a permission group and are none: they would give nothing, quietly."""
    problems = []
    for number, name in enumerate(groups):
        if name.startswith(_PREFIX) and name not in _KNOWN:
            close = difflib.get_close_matches(name, sorted(_KNOWN), n=1)
            hint = f"; did you mean {close[0]}?" if close else ""
            problems.append(Problem(path=f"{path}[{number}]", message=f"there is no such permission{hint}"))
    if problems:
        raise Invalid("unknown permission", problems)
