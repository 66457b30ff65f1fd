"""Every code has words, every setting is described, and the documents say so."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client, override_settings

from crawls import checks, messages
from crawls.conf import policy_for, to_json
from crawls.engine.errors import Code
from crawls.engine.policy import Policy
from crawls.engine.records import EndState, Reason
from sitemaps.publishing import PublishCode

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("codes", [Code, Reason, EndState, PublishCode], ids=lambda kind: kind.__name__)
def test_every_code_has_words_and_a_remedy_and_stands_in_the_documents(codes: type[StrEnum]) -> None:
    document = (ROOT / "docs/failures.md").read_text()
    for code in codes:
        message = messages.CATALOGUE[code]
        assert message.words
        assert message.remedy.endswith(".")
        assert f"| `{code}` | {message.words} | {message.remedy} |" in document


def test_every_setting_that_is_read_is_described() -> None:
    source = (ROOT / "config/settings.py").read_text()
    names = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))
    document = (ROOT / "docs/settings.md").read_text()
    assert len(names) > 15
    assert not [name for name in names if f"`{name}`" not in document]


def test_a_policy_survives_being_written_down() -> None:
    policy = policy_for({"max_pages": 7, "rules": {"exclude": ["/x"]}, "politeness": {"rate_per_s": 1.5}})
    again = policy_for(to_json(policy))
    assert again == policy
    assert (again.max_pages, again.rules.exclude, again.politeness.rate_per_s) == (7, ("/x",), 1.5)


@pytest.mark.parametrize(
    "wishes",
    [{"max_pagez": 1}, {"max_pages": "many"}, {"nothing": {"x": 1}}, {"rules": {"exclude": "/x"}}, {"render": "maybe"}],
)
def test_a_wish_that_cannot_be_is_named(wishes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"max_pagez|max_pages|nothing|exclude|maybe"):
        policy_for(wishes)


def test_the_defaults_can_be_obeyed_and_bad_values_are_named() -> None:
    assert Policy().problems() == []
    assert len(Policy(max_pages=0, max_depth=-1, max_prefix_share=2).problems()) == 3


@pytest.mark.parametrize(
    ("changes", "check", "code"),
    [
        ({"DATA_DIR": f"{__file__}/below"}, checks.check_data_dir, "crawls.E001"),
        ({"CRAWL": {**settings.CRAWL, "rate_per_s": -1.0}}, checks.check_policy, "crawls.E002"),
        ({"CRAWL": {**settings.CRAWL, "user_agent": "Ü"}}, checks.check_policy, "crawls.E002"),
        ({"CRAWL": {**settings.CRAWL, "proxy_url": "socks://x"}}, checks.check_proxy, "crawls.E003"),
        ({"REDIS_URL": "http://x"}, checks.check_redis, "crawls.E004"),
    ],
)
def test_settings_that_cannot_work_are_said_at_start_up(changes: dict[str, object], check: object, code: str) -> None:
    assert callable(check)
    assert check(None) == []
    with override_settings(**changes):
        assert [message.id for message in check(None)] == [code]


@pytest.mark.django_db
def test_the_sign_in_page_answers_and_refuses_strangers(client: Client) -> None:
    with override_settings(
        STORAGES={
            **settings.STORAGES,
            "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
        }
    ):
        assert b"Sign in" in client.get("/").content
        refused = client.post("/", {"username": "nobody", "password": "wrong"})
        assert b"do not match" in refused.content
        assert client.get("/admin/").status_code == 302
