"""Run the ``pystream`` command with ``python -m pystream``."""

from __future__ import annotations

import sys

from pystream.cli import main

sys.exit(main())
