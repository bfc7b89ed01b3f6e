"""Open files of a process: connections count among them."""


def allow_many_files() -> None:
    """Let this process open as many files as the system lets it; the usual limit is that of a program for people."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
