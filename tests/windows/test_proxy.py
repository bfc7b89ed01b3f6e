"""Pages that reach the network through a proxy: a proxy script, fixed servers, and hosts that need none."""

from typing import Any

from rostrum.desktop.hosts.actions import Navigate
from rostrum.desktop.hosts.reports import LoadFinished
from rostrum.desktop.windows.engine import Engine, engine_of
from rostrum.desktop.windows.geometry import Bounds
from rostrum.settings.parse import parse_early
from tests.windows.display import Display
from tests.windows.real_host import RealHost, real_host, site, window

ONE = Bounds(100, 120, 500, 400)
APP = "http://app.example.test/"
PAGES: dict[str, str | bytes] = {APP: "<title>By proxy</title>", "/direct": "<title>Direct</title>"}


def engine(**proxy: Any) -> Engine:
    read = parse_early({"proxy": proxy})
    assert not [one for one in read.problems if one.path.startswith("proxy")]
    return engine_of(read.settings)


async def loads(running: RealHost, url: str) -> None:
    running.forget()
    await running.host.act("one", Navigate(url=url))
    await running.wait_for(LoadFinished, lambda one: one.url == url)


async def test_a_proxy_script_decides_how_each_address_is_reached(display: Display) -> None:
    with site(dict(PAGES)) as served:
        proxy = served.origin.removeprefix("http://")
        chooses = f'host === "app.example.test" ? "PROXY {proxy}" : "DIRECT"'
        served.pages["/proxy.pac"] = f"function FindProxyForURL(url, host) {{ return {chooses}; }}".encode()
        async with real_host(display, engine(mode="pac_script", pacScript=f"{served.origin}/proxy.pac")) as running:
            await running.host.open_window(window("one", APP, ONE))
            await running.wait_for(LoadFinished, lambda one: one.url == APP)
            await loads(running, f"{served.origin}/direct")
        assert [one for one in served.asked if "icon" not in one] == ["/proxy.pac", APP, "/direct"]


async def test_fixed_proxies_are_used_except_for_the_hosts_that_need_none(display: Display) -> None:
    with site(dict(PAGES)) as served, site({APP: "<title>Other proxy</title>"}) as other:
        rules = f"http={served.origin.removeprefix('http://')};https={other.origin.removeprefix('http://')}"
        # Loopback is reached without a proxy unless the rules say otherwise.
        fixed = engine(mode="fixed_servers", proxyRules=rules, proxyBypassRules="<-loopback>;127.0.0.1")
        async with real_host(display, fixed) as running:
            await running.host.open_window(window("one", APP, ONE))
            await running.wait_for(LoadFinished, lambda one: one.url == APP)
            await loads(running, f"{served.origin}/direct")
        assert [one for one in served.asked if "icon" not in one] == [APP, "/direct"]
        assert other.asked == []
