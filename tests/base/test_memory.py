import gc
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from rostrum.base.memory import without_collecting


def test_garbage_is_looked_for_again_when_the_last_who_stopped_it_has_ended() -> None:
    inside, ended = Barrier(2), Barrier(2)

    def first() -> None:
        with without_collecting():
            inside.wait(30)
        ended.wait(30)

    with ThreadPoolExecutor(1) as pool:
        with without_collecting():
            other = pool.submit(first)
            inside.wait(30)
            ended.wait(30)
            other.result(30)
            assert not gc.isenabled()
        assert gc.isenabled()


def test_garbage_is_looked_for_again_after_a_failure() -> None:
    with pytest.raises(ValueError, match="invalid literal"), without_collecting():
        int("broken")
    assert gc.isenabled()
