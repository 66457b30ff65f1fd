"""`manage.py up`: bring the application up on this machine, and say where to sign in."""

from __future__ import annotations

import os
import secrets
import sys
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand

_FIRST_USER = "admin"


class Command(BaseCommand):
    """Migrates, collects static files, makes the first user, then becomes the web server."""

    help = "Start the web application on PORT (8000); prints address and, once, the first user's password."

    def handle(self, *args: Any, **options: Any) -> None:
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
        call_command("migrate", verbosity=0, interactive=False)
        call_command("collectstatic", verbosity=0, interactive=False)
        self._make_first_user()
        self.stdout.write(f"Sign in at http://localhost:{settings.PORT}/")
        self.stdout.flush()
        address = ["--host", settings.HOST, "--port", str(settings.PORT)]
        # Streams that stay open must not hold up a restart; see uvicorn's --timeout-graceful-shutdown.
        server = [sys.executable, "-m", "uvicorn", "config.asgi:application", *address]
        os.execv(sys.executable, [*server, "--timeout-graceful-shutdown", "3", "--log-level", "warning"])  # noqa: S606 - our own interpreter, no shell

    def _make_first_user(self) -> None:
        users = get_user_model()
        if users.objects.exists():
            return
        password = secrets.token_urlsafe(12)
        users.objects.create_superuser(_FIRST_USER, password=password)
        self.stdout.write(f"The first user is {_FIRST_USER} with the password {password} (change it in the admin).")
