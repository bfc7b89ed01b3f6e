"""The sentences that explain to people why an app or a layout is available to a user, or why it is not."""

from rostrum.manager.access.reasons import Because, Obstacle, Reason


def reason_text(reason: Reason, via: tuple[str, ...] | None) -> str:
    """Explain why something is available; ``via`` is the way from a direct group of the user to the group."""
    match reason.because:
        case Because.OWNER:
            return "owned by the user"
        case Because.PUBLIC:
            return "public"
        case Because.LIST:
            return "assigned to the user directly"
        case Because.GROUP:
            way_there = " → ".join(via or ())
            through = f", inherited through {way_there}" if via and len(via) > 1 else ""
            return f"available to the group {reason.group}{through}"


def why_not_text(obstacle: Obstacle, access: tuple[str, ...]) -> str:
    """Explain why something is not available; ``access`` has the groups that it is available to."""
    match obstacle:
        case Obstacle.USER_DISABLED:
            return "the user is disabled"
        case Obstacle.DISABLED:
            return "disabled for all users"
        case Obstacle.NOT_SHARED if access:
            return f"requires membership in {' or '.join(access)}"
        case Obstacle.NOT_SHARED:
            return "not public, and not available to any group"
        case Obstacle.HIDDEN:
            return "another layout of the same type and name is shown instead"
