"""From settings, a site's wishes and the command line to the one policy that a crawl obeys, and back to JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass, replace
from typing import Any

from django.conf import settings

from crawls.engine.policy import Fetching, Policy, RenderMode

# Settings of the deployment, as against wishes of a site: name in settings.CRAWL -> where it goes.
_PLACES = {
    "user_agent": ("fetching", "user_agent"),
    "deadline_s": ("fetching", "deadline_s"),
    "max_body_bytes": ("fetching", "max_body_bytes"),
    "proxy_url": ("fetching", "proxy_url"),
    "allowed_private": ("fetching", "allowed_private"),
    "allowed_ports": ("fetching", "allowed_ports"),
    "rate_per_s": ("politeness", "rate_per_s"),
    "concurrency": ("politeness", "concurrency"),
    "max_pages": ("", "max_pages"),
    "max_depth": ("", "max_depth"),
}
# Never written down with a job: secrets of a site, and what the deployment decides anew each time.
_UNWRITTEN = {"fetching": ("basic_auth", "headers", "allowed_private", "proxy_url")}


def policy_for(wishes: Mapping[str, Any]) -> Policy:
    """The policy of a crawl: the deployment's settings, with a site's wishes (nested as the policy is) on top.

    Raises ValueError naming a wish that the policy does not know or whose kind is wrong.
    """
    policy = Policy()
    for name, (group, field_name) in _PLACES.items():
        policy = _with(policy, group, field_name, settings.CRAWL[name])
    for name, value in wishes.items():
        if isinstance(value, Mapping):
            for inner, wish in value.items():
                policy = _with(policy, name, inner, wish)
        else:
            policy = _with(policy, "", name, value)
    return policy


def _with(policy: Policy, group: str, name: str, value: Any) -> Policy:
    if not group:
        return replace(policy, **{name: _fitting(policy, name, value)})
    if not hasattr(policy, group) or not is_dataclass(getattr(policy, group)):
        raise ValueError(f"the policy has no group {group!r}")
    part = getattr(policy, group)
    return replace(policy, **{group: replace(part, **{name: _fitting(part, name, value)})})


def _fitting(owner: Any, name: str, value: Any) -> Any:
    """The value in the kind that the field has now."""
    if name not in {field.name for field in fields(owner)}:
        raise ValueError(f"the policy knows no {name!r}")
    present = getattr(owner, name)
    if isinstance(present, RenderMode):
        return RenderMode(value)
    if isinstance(present, tuple) or (present is None and isinstance(value, list)):
        if isinstance(value, str):
            raise ValueError(f"{name} takes a list, not {value!r}")
        return tuple(tuple(one) if isinstance(one, list) else one for one in value)
    if isinstance(present, bool) != isinstance(value, bool) or (
        isinstance(present, str) and not isinstance(value, str)
    ):
        raise ValueError(f"{name} cannot be {value!r}")
    if isinstance(present, int | float) and not isinstance(value, int | float):
        raise ValueError(f"{name} must be a number, not {value!r}")
    return value


def to_json(policy: Policy) -> dict[str, Any]:
    """A policy as it is kept with a job: everything but secrets and what the deployment decides."""
    written = asdict(policy)
    for group, names in _UNWRITTEN.items():
        for name in names:
            del written[group][name]
    return written


def with_private(policy: Policy, entries: tuple[str, ...]) -> Policy:
    """The policy with exact exceptions from the address guard added (an operator's own start address)."""
    fetching: Fetching = policy.fetching
    return replace(policy, fetching=replace(fetching, allowed_private=(*fetching.allowed_private, *entries)))
