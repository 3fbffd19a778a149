"""`python -m kingdom` is the installed command `kingdom`."""

from kingdom.cli.start import run

raise SystemExit(run())
