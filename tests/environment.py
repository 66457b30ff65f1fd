"""Loaded by pytest before anything reads the settings: a data folder of this run's own."""

from __future__ import annotations

import os
import tempfile

os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="surveyor-tests-")
os.environ.setdefault("LOG_LEVEL", "WARNING")
