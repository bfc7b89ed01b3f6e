"""What ends besides the sessions of a user who is signed out or receives a new password: API tokens and planned work.

A thief of a session could have created the tokens and planned the work, and both outlive the session.
"""

from dataclasses import replace

from msgspec import Struct

from rostrum.manager.command_runs.service import cancel_run
from rostrum.manager.rollouts.model import Status
from rostrum.manager.storage import Work
from rostrum.manager.users.model import SignedOut


class Endings(Struct, frozen=True):
    """What the caller has decided; without a decision, what another user has planned or created ends."""

    api_tokens: bool | None = None
    planned_work: bool | None = None

    async def apply(self, work: Work, user_id: str, *, by_default: bool) -> SignedOut:
        """Revoke tokens and stop planned work, and return their numbers."""
        tokens, planned = (by_default if each is None else each for each in (self.api_tokens, self.planned_work))
        return SignedOut(
            user=user_id,
            api_tokens=await work.api_tokens.remove_of_user(user_id) if tokens else 0,
            planned_work=await _stop_planned(work, user_id) if planned else 0,
        )


BY_DEFAULT = Endings()
NOTHING = Endings(api_tokens=False, planned_work=False)


async def _stop_planned(work: Work, user_id: str) -> int:
    """Cancel what waits under a user's account, and halt the user's roll-outs: others can resume or withdraw them."""
    reason = f"{user_id} was signed out or received a new password"
    runs = await work.command_runs.open_of(user_id)
    for run in runs:
        await cancel_run(work, run, reason)
    commands = await work.commands.withdraw(user_id)
    batches = await work.batches.unfinished_of(user_id)
    for batch in batches:
        await work.batches.cancel(batch, work.now)
    rollouts = await work.rollouts.running_of(user_id)
    for rollout in rollouts:
        after = replace(rollout, status=Status.HALTED, reason=reason, updated=work.now)
        await work.rollouts.put(rollout, after)
    return len(runs) + commands + len(batches) + len(rollouts)
