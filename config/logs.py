"""How log lines look: time, level, where, what."""

from typing import Any


def logging_config(level: str) -> dict[str, Any]:
    """Django's LOGGING with everything on standard error from `level` on."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level.upper()},
        # urllib3 warns of headers that servers get wrong; our ledger says what came of it.
        "loggers": {"urllib3": {"level": "ERROR"}},
    }
