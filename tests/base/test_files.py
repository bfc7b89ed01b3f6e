"""Open files of a process."""

import resource
import subprocess
import sys

CODE = """
import resource
from rostrum.base.files import allow_many_files

hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
allow_many_files()
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


def test_a_server_may_open_as_many_files_as_the_system_lets_it() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)

    assert int(done.stdout) == resource.getrlimit(resource.RLIMIT_NOFILE)[1]
