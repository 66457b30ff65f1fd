"""The admin's lists stay quick: a fixed number of queries, whatever the number of rows."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from crawls.models import CrawlJob, DiscoveredUrl, Outcome, Site

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client: Client, settings: Any) -> Client:
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    client.force_login(get_user_model().objects.create_superuser("boss"))
    return client


def fill(rows: int) -> None:
    now = timezone.now()
    owner = get_user_model().objects.create(username=f"user{rows}")
    for number in range(rows):
        site = Site.objects.create(owner=owner, start_url=f"http://s{rows}-{number}.test/")
        job = CrawlJob.objects.create(site=site, start_url=site.start_url, state=CrawlJob.State.COMPLETE)
        url = DiscoveredUrl.objects.create(
            site=site,
            key=number,
            url=site.start_url,
            first_job_id=job.pk,
            last_job_id=job.pk,
            first_seen_at=now,
            last_seen_at=now,
        )
        Outcome.objects.create(job=job, discovered_url=url, order=0, reason="indexable", verdict="in", sources=3)


def queries(staff: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert staff.get(address).status_code == 200
    return len(captured)


@pytest.mark.parametrize("model", ["site", "crawljob", "discoveredurl", "outcome"])
def test_a_list_takes_as_many_queries_for_many_rows_as_for_few(staff: Client, model: str) -> None:
    fill(2)
    few = queries(staff, f"/admin/crawls/{model}/?q=test")
    fill(30)
    assert queries(staff, f"/admin/crawls/{model}/?q=test") == few
    assert few < 12


def test_nobody_edits_history(staff: Client) -> None:
    fill(1)
    outcome = Outcome.objects.get()
    page = staff.get(f"/admin/crawls/outcome/{outcome.pk}/change/").content.decode()
    assert "seed link" in staff.get("/admin/crawls/outcome/").content.decode()
    assert 'name="_save"' not in page


def test_each_user_sees_their_own_and_staff_sees_all() -> None:
    fill(2)
    fill(3)
    owner = get_user_model().objects.get(username="user2")
    boss = get_user_model().objects.create_superuser("boss")
    for model, path in ((Site, "owner"), (CrawlJob, "site__owner"), (Outcome, "job__site__owner")):
        assert model.objects.visible_to(owner).count() == 2
        assert model.objects.visible_to(boss).count() == 5
        assert model.owner_path == path
