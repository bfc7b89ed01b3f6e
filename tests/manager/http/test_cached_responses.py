import gzip

from hypothesis import given
from hypothesis import strategies as st

from rostrum.manager.http.cached_responses import CachedResponses, Form

LIMIT = 20_000


def keep(answers: CachedResponses, key: str, body: bytes, mark: int = 1, status: int = 200) -> None:
    tag = b'"%d-%d"' % (len(body), sum(body))
    answers.save(key, mark, Form(status, tag, (), answers.body(tag, body)))


def test_an_answer_is_found_until_its_content_has_changed() -> None:
    answers = CachedResponses(LIMIT)
    keep(answers, "ann", b"content", mark=5)

    found = answers.find("ann", 5)

    assert found is not None
    assert found.forms[200].body.plain == b"content"
    assert answers.find("ann", 4) is found
    assert answers.find("ann", 6) is None
    assert answers.find("bob", 5) is None


def test_callers_who_get_the_same_share_its_bytes() -> None:
    answers = CachedResponses(LIMIT * 10)
    for number in range(10):
        keep(answers, f"user {number}", b"x" * 10_000)

    bodies = {id(ready.forms[200].body.plain) for number in range(10) if (ready := answers.find(f"user {number}", 1))}

    assert len(bodies) == 1
    assert answers.used_bytes < 35_000


def test_the_least_recently_used_entries_are_removed() -> None:
    answers = CachedResponses(LIMIT)
    for name in ("first", "second"):
        keep(answers, name, name.encode() * 1000)
    assert answers.find("first", 1) is not None

    keep(answers, "third", b"y" * 5000)

    assert answers.find("first", 1) is not None
    assert answers.find("second", 1) is None
    assert answers.find("third", 1) is not None


def test_an_answer_larger_than_all_the_room_is_not_kept() -> None:
    answers = CachedResponses(LIMIT)
    keep(answers, "ann", b"x" * (LIMIT + 1))

    assert (len(answers), answers.used_bytes) == (0, 0)


def test_without_room_nothing_is_kept() -> None:
    answers = CachedResponses(0)
    keep(answers, "ann", b"")

    assert (len(answers), answers.used_bytes) == (0, 0)


def test_packed_bytes_count_too_and_are_the_same_each_time() -> None:
    answers = CachedResponses(LIMIT)
    keep(answers, "ann", b"x" * 8000)
    ready = answers.find("ann", 1)
    assert ready is not None
    body = ready.forms[200].body
    before = answers.used_bytes

    answers.packed(body, body.pack())

    assert body.packed is not None
    assert gzip.decompress(body.packed) == body.plain
    assert body.pack() == body.packed
    assert answers.used_bytes == before + len(body.packed)


STEPS = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.integers(1, 4), st.integers(0, 9000), st.sampled_from([200, 304])),
    max_size=40,
)


@given(steps=STEPS)
def test_the_count_of_bytes_stays_true_and_within_the_limit(steps: list[tuple[str, int, int, int]]) -> None:
    answers = CachedResponses(LIMIT)
    for key, mark, size, status in steps:
        keep(answers, key, b"x" * (size if status == 200 else 0), mark, status)
        ready = answers.find(key, mark)
        if ready is not None and 200 in ready.forms:
            body = ready.forms[200].body
            answers.packed(body, body.pack())
        assert 0 <= answers.used_bytes <= LIMIT
    for key in "abcdef":
        answers.save(key, 9, Form(200, b'"last"', (), answers.body(b'"last"', b"z" * (LIMIT - 2100))))
    assert len(answers) == 1
    assert len(answers._bodies) == 1
