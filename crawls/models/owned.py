"""Who may see what: the one door to the objects of a user."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet


class OwnedQuerySet(QuerySet[Any]):
    """Objects that belong to a site's owner; `owner_path` of the model leads to them."""

    def visible_to(self, user: Any) -> OwnedQuerySet:
        """What this user may see: their own, or everything for staff; nothing for strangers."""
        if not user.is_authenticated:
            return self.none()
        if user.is_staff:
            return self
        path: str = self.model.owner_path
        return self.filter(**{path: user})
