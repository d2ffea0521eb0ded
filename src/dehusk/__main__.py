"""`python -m dehusk` is the command `dehusk`."""

from dehusk.cli import main

if __name__ == "__main__":
    main()
