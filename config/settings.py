"""All settings, each knob read once from the environment; `docs/settings.md` describes them.

Nothing set: embedded mode (SQLite, no Redis). DATABASE_URL and REDIS_URL set: served mode.
"""

import secrets
from pathlib import Path

import environ

from config.logs import logging_config

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent
environ.Env.read_env(BASE_DIR / ".env")

# -- Where things lie

DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "data")))


def _kept_secret() -> str:
    """A secret of this installation's own, made once."""
    path = DATA_DIR / "secret_key"
    try:
        return path.read_text(encoding="ascii")
    except FileNotFoundError:
        DATA_DIR.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(64), encoding="ascii")
        return path.read_text(encoding="ascii")
    except OSError:
        # Unreadable or unwritable: the system check crawls.E001 says so; nothing may be signed with a lasting key.
        return secrets.token_urlsafe(64)


HOST = env.str("HOST", default="127.0.0.1")
PORT = env.int("PORT", default=8000)

# -- Security

SECRET_KEY = env.str("SECRET_KEY", default="") or _kept_secret()
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
SECURE = env.bool("SECURE", default=False)
SECURE_SSL_REDIRECT = SECURE
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE
SECURE_HSTS_PRELOAD = SECURE
SESSION_COOKIE_SECURE = SECURE
CSRF_COOKIE_SECURE = SECURE
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SECURE else None

# -- Applications

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "crawls",
    "sitemaps",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/admin/"
LOGOUT_REDIRECT_URL = "/"

# -- Database and queue

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'surveyor.sqlite3'}")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # WAL alone fails at once for a read that turns into a write; with IMMEDIATE such a transaction waits its turn.
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
REDIS_URL = env.str("REDIS_URL", default="")

# -- Crawling (crawls/conf.py makes the policy of them)

CRAWL = {
    "user_agent": env.str("CRAWL_USER_AGENT", default="Surveyor/0.1"),
    "max_pages": env.int("CRAWL_MAX_PAGES", default=10_000),
    "max_depth": env.int("CRAWL_MAX_DEPTH", default=10),
    "rate_per_s": env.float("CRAWL_RATE_PER_S", default=3.0),
    "concurrency": env.int("CRAWL_CONCURRENCY", default=4),
    "deadline_s": env.float("CRAWL_DEADLINE_S", default=30.0),
    "max_body_bytes": env.int("CRAWL_MAX_BODY_BYTES", default=10 * 1024 * 1024),
    "proxy_url": env.str("CRAWL_PROXY_URL", default=""),
    "allowed_private": env.list("CRAWL_ALLOWED_PRIVATE", default=[]),
    "allowed_ports": env.list("CRAWL_ALLOWED_PORTS", cast=int, default=[80, 443, 8080, 8443]),
}

# -- Files, time, language, logs

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LOGGING = logging_config(env.str("LOG_LEVEL", default="INFO"))
