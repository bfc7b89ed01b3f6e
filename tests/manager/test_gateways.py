"""The central gateway of each user."""

from collections import Counter

from rostrum.manager.config import ManagerConfig
from rostrum.manager.gateways import gateway_of
from tests.conftest import manager_config

USERS = [f"user-{number}" for number in range(3000)]


def config(**gateway: object) -> ManagerConfig:
    return manager_config("sqlite:///unused.db", gateway=gateway)


def test_one_gateway_serves_all_users() -> None:
    assert gateway_of(config(), "ann") == ""
    assert gateway_of(config(url="/gw"), "ann") == "/gw"
    assert gateway_of(config(url="/gw"), None) == "/gw"


def test_users_are_spread_over_several_gateways_and_known_by_sign_in_only() -> None:
    nodes = config(url="/gw", nodes=["/gw/1", "/gw/2", "/gw/3"])

    shares = Counter(gateway_of(nodes, user) for user in USERS)

    assert set(shares) == {"/gw/1", "/gw/2", "/gw/3"}
    assert min(shares.values()) > len(USERS) / 4
    assert gateway_of(nodes, None) == ""


def test_the_order_of_the_list_changes_nothing_and_a_new_gateway_moves_only_its_own_users() -> None:
    before = {user: gateway_of(config(nodes=["/gw/1", "/gw/2"]), user) for user in USERS[:300]}

    turned = config(nodes=["/gw/2", "/gw/1"])
    grown = config(nodes=["/gw/1", "/gw/2", "/gw/3"])

    assert {user: gateway_of(turned, user) for user in before} == before
    moved = {user: gateway_of(grown, user) for user in before if gateway_of(grown, user) != before[user]}
    assert set(moved.values()) == {"/gw/3"}
    assert len(moved) < len(before) / 2
