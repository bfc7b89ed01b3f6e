"""python -m rostrum: the same as the command rostrum."""

from rostrum.cli.main import main

if __name__ == "__main__":
    main()
