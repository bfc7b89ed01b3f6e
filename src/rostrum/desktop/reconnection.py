"""Signs in after an offline start, when the manager is available again."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable

from rostrum.base.retry import LONGEST_WAIT_MS, Sleep
from rostrum.client.errors import ServiceFailed
from rostrum.desktop.errors import AccountRefused, DesktopError
from rostrum.desktop.sign_in import SignIn

_log = logging.getLogger(__name__)
_FIRST_WAIT = 1.0
_LONGEST_WAIT = 60.0
_WAIT_FOR_SOMEBODY = LONGEST_WAIT_MS / 1000


class Reconnection:
    """Retries the sign-in; all desktops lose the manager at the same time, so attempts have random delays."""

    def __init__(
        self,
        sign_in: SignIn,
        connect: Callable[[], Awaitable[None]],
        refuse: Callable[[str], None],
        *,
        sleep: Sleep = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._sign_in = sign_in
        self._connect = connect
        self._refuse = refuse
        self._sleep = sleep
        self._jitter = jitter
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start with a pause."""
        self._task = asyncio.create_task(self._run(), name="sign in after an offline start")

    async def stop(self) -> None:
        """Stop, even during an attempt."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        wait = _FIRST_WAIT
        while True:
            await self._sleep(wait * (0.5 + self._jitter()))
            wait = min(wait * 2, _LONGEST_WAIT)
            try:
                await self._sign_in.run_again()
                await self._connect()
            except ServiceFailed as error:
                self._sign_in.lose(str(error))
                _log.info("still offline: %s", error)
            except AccountRefused as error:
                # Local copies are for the account that the manager accepted, not for a revoked one.
                self._refuse(f"{self._sign_in.service.shown}: {error}")
                return
            except DesktopError as error:
                _log.warning("still offline: %s", error)
                wait = _WAIT_FOR_SOMEBODY
            else:
                return
