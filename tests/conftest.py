"""What all tests share. Nothing they write lies outside of their own temporary folder."""

from __future__ import annotations

import os
import tempfile

# Before Django reads its settings: a data folder of this run's own.
os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="surveyor-tests-")
os.environ.setdefault("LOG_LEVEL", "WARNING")
