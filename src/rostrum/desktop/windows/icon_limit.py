"""Limits how many icons a site loads: a page can name thousands of them."""

MOST = 10
SECONDS = 5.0
_MOST_SITES = 1000


class IconLimit:
    """Counts the icons of each site; further ones are not loaded until the interval ends."""

    def __init__(self) -> None:
        self._sites: dict[str, tuple[float, int]] = {}

    def take(self, site: str, now: float) -> bool:
        """Return whether a site may load one more icon."""
        since, count = self._sites.get(site, (now, 0))
        if now - since >= SECONDS:
            since, count = now, 0
        if site not in self._sites and len(self._sites) >= _MOST_SITES:
            self._sites = {one: known for one, known in self._sites.items() if now - known[0] < SECONDS}
        self._sites[site] = since, count + 1
        return count < MOST
