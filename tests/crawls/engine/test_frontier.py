"""The frontier and the order in which pages are taken."""

from __future__ import annotations

from crawls.engine.frontier.breadth_first import LINK_LANE, SITEMAP_LANE, Frontier
from crawls.engine.frontier.sequence import Sequence
from crawls.engine.records import Found, Result, Source


def found(order: int, lane: int = LINK_LANE, depth: int = 1) -> Found:
    return Found(order, order * 7, f"http://s.test/{order}", depth, Source.LINK, lane)


class Shelf:
    """What waits in the store."""

    def __init__(self) -> None:
        self.rows: list[Found] = []
        self.reads = 0

    def window(self, lane: int, after: int, limit: int) -> list[Found]:
        self.reads += 1
        return [row for row in self.rows if row.lane == lane and row.order > after][:limit]


def frontier(shelf: Shelf, window: int = 10, over: frozenset[str] = frozenset()) -> Frontier:
    return Frontier(shelf.window, over.__contains__, window)


def take_all(one: Frontier) -> list[int]:
    taken = []
    while (item := one.next(idle=True)) is not None:
        taken.append(item.order)
        one.done(item.key)
    return taken


def test_links_and_sitemap_entries_take_turns() -> None:
    one = frontier(Shelf())
    for order in range(3):
        one.add(found(order))
    for order in range(3, 6):
        one.add(found(order, SITEMAP_LANE))
    assert take_all(one) == [0, 3, 1, 4, 2, 5]


def test_what_does_not_fit_the_window_waits_in_the_store_and_none_is_lost_or_doubled() -> None:
    shelf = Shelf()
    one = frontier(shelf, window=10)
    for order in range(95):
        shelf.rows.append(found(order))
        one.add(found(order))
    assert one.waiting == 95
    assert take_all(one) == list(range(95))
    assert one.waiting == 0
    assert shelf.reads >= 9


def test_urls_over_their_share_come_last_and_all_the_same() -> None:
    shelf = Shelf()
    over = frozenset(f"http://s.test/{order}" for order in range(0, 40, 2))
    one = frontier(shelf, window=8, over=over)
    for order in range(40):
        shelf.rows.append(found(order))
        one.add(found(order))
    taken = take_all(one)
    assert sorted(taken) == list(range(40))
    assert taken[:20] == list(range(1, 40, 2))


def test_what_is_found_while_the_late_ones_are_read_goes_before_them() -> None:
    shelf = Shelf()
    one = frontier(shelf, over=frozenset(f"http://s.test/{order}" for order in range(5)))
    for order in range(5):
        shelf.rows.append(found(order))
        one.add(found(order))
    assert one.next(idle=False) is None  # a page on its way may still find better ones
    late = one.next(idle=True)
    assert late is not None
    shelf.rows.append(found(9))
    one.add(found(9))
    assert take_all(one) == [9, 1, 2, 3, 4]


def test_a_sighting_is_news_only_with_a_new_source_or_a_smaller_depth() -> None:
    one = frontier(Shelf())
    one.add(found(1, depth=3))
    assert one.look(7, int(Source.LINK), 3) is False
    assert one.look(7, int(Source.LINK), 2) is True
    assert one.look(7, int(Source.SITEMAP), 3) is True
    assert one.look(8, int(Source.LINK), 1) is None
    one.sighted(7, Source.SITEMAP, 2)
    assert one.look(7, int(Source.SITEMAP), 2) is False


def test_what_was_given_back_comes_next() -> None:
    one = frontier(Shelf())
    one.add(found(1))
    one.add(found(2))
    first = one.next(idle=True)
    assert first is not None
    one.give_back(first)
    assert take_all(one) == [1, 2]


def test_results_are_taken_in_the_order_of_choosing() -> None:
    sequence = Sequence(window=10)
    flights = [sequence.choose(found(order), "s.test") for order in range(4)]
    for flight in (flights[2], flights[1]):
        flight.result = Result(flight.ticket)
    assert list(sequence.take()) == []
    flights[0].result = Result(0)
    assert [flight.ticket for flight in sequence.take()] == [0, 1, 2]
    assert len(sequence) == 1


def test_a_url_that_must_be_tried_again_lets_the_others_pass() -> None:
    sequence = Sequence(window=2)
    first, second = (sequence.choose(found(order), "s.test") for order in range(2))
    assert bool(sequence.full)
    sequence.pass_by(first)
    second.result = Result(1)
    assert [flight.ticket for flight in sequence.take()] == [1]
    assert bool(sequence.full) is False
    first.result = Result(0)
    assert [flight.ticket for flight in sequence.take()] == [0]
    assert len(sequence) == 0


def test_patience_with_the_oldest_ends() -> None:
    sequence = Sequence(window=2)
    first, second = (sequence.choose(found(order), "s.test") for order in range(2))
    first.sent_at = second.sent_at = 1.0
    second.result = Result(1)
    sequence.lose_patience(sent_before=0.5)
    assert list(sequence.take()) == []
    sequence.lose_patience(sent_before=2.0)
    assert [flight.ticket for flight in sequence.take()] == [1]
