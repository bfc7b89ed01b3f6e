"""The REST store: definitions from a service."""

import asyncio
from pathlib import Path

from rostrum.base.clock import Clock, SystemClock
from rostrum.base.retry import Sleep
from rostrum.client.credentials import Credentials
from rostrum.client.service import Reply, Service
from rostrum.settings.sections.stores import RestStore
from rostrum.stores.apps.kept_answer import KeptAnswer
from rostrum.stores.apps.remote_store import RemoteAppStore, Timing

_MS = 1000


class RestAppStore(RemoteAppStore):
    """A service that provides app definitions, or an FDC3 app directory."""

    def __init__(
        self,
        settings: RestStore,
        credentials: Credentials,
        cache: Path,
        *,
        url: str | None = None,
        user: str = "",
        watched: bool = True,
        sleep: Sleep = asyncio.sleep,
        clock: Clock | None = None,
    ) -> None:
        """Use the settings; ``cache`` is the default folder for responses, ``url`` the address without placeholders."""
        details = settings.details
        address = url or details.url
        self._service = Service(
            address,
            credentials,
            timeout=details.request_timeout / _MS,
            verify=details.reject_unauthorized,
            proxy=details.proxy or None,
        )
        kept = KeptAnswer(Path(details.cache_folder or cache), address, user, clock or SystemClock())
        super().__init__(
            f"rest {self._service.shown}",
            self._ask,
            timing=Timing(
                poll_interval=details.poll_interval / _MS,
                read_cache_after=details.read_cache_after / _MS,
                start_retries=int(details.start_retries),
                start_retry_interval=details.start_retry_interval / _MS,
            ),
            kept=kept if details.enable_persistent_cache else None,
            required=settings.is_required,
            trusted=details.trusted,
            pages_reach=details.trusted,
            overrides=settings.app_definition_overrides,
            watched=watched,
            sleep=sleep,
        )

    async def close(self) -> None:
        """Stop polling and close the connections."""
        await super().close()
        await self._service.close()

    async def _ask(self, etag: str | None) -> Reply:
        return await self._service.request("GET", etag=etag)
