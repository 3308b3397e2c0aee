"""``python -m pystream`` is the command ``pystream``."""

from __future__ import annotations

import sys

from pystream.cli import main

sys.exit(main())
