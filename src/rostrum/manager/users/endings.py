"""What ends besides the sessions of a user who is signed out or receives a new password: API tokens and planned work.

A thief of a session could have created the tokens and planned the work, and both outlive the session.
"""

from msgspec import Struct

from rostrum.manager.storage import Work
from rostrum.manager.users.model import SignedOut


class Endings(Struct, frozen=True):
    """What the caller has decided; without a decision, what another user has planned or created ends."""

    api_tokens: bool | None = None
    planned_work: bool | None = None

    async def apply(self, work: Work, user_id: str, *, by_default: bool) -> SignedOut:
        """Revoke tokens and stop planned work, and return their numbers."""
        tokens, planned = (by_default if each is None else each for each in (self.api_tokens, self.planned_work))
        reason = f"{user_id} was signed out or received a new password"
        return SignedOut(
            user=user_id,
            api_tokens=await work.revoke_credentials(user_id) if tokens else 0,
            planned_work=await work.stop_planned(user_id, reason) if planned else 0,
        )


BY_DEFAULT = Endings()
NOTHING = Endings(api_tokens=False, planned_work=False)
