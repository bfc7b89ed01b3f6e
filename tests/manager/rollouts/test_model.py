"""Who is in which stage of a roll-out."""

from rostrum.manager.rollouts.model import Cohort, Stage

USERS = [f"user{number}" for number in range(2000)]


def included(rollout: str, *percents: int) -> set[str]:
    cohort = Cohort(id=rollout, stages=[Stage(percent=percent) for percent in percents])
    return {user for user in USERS if cohort.includes(user, ())}


def test_percentages_are_kept_approximately_and_grow() -> None:
    ten, half = included("r1", 10), included("r1", 50)
    assert 150 < len(ten) < 250
    assert 900 < len(half) < 1100
    assert ten < half
    assert included("r1", 10, 50) == half
    assert included("r1", 100) == set(USERS)
    assert included("r1", 0) == set()


def test_other_users_are_first_in_another_rollout() -> None:
    assert len(included("r1", 10) & included("r2", 10)) < 60


def test_groups_and_requests_without_a_user() -> None:
    cohort = Cohort(id="r1", stages=[Stage(groups=("Pilots",)), Stage(percent=100)])
    assert cohort.stage_of("user1", {"Pilots", "Desk"}) == 1
    assert cohort.stage_of("user1", {"Desk"}) == 2
    assert not cohort.includes("", {"Desk"})
    assert cohort.includes("", {"Pilots"})
