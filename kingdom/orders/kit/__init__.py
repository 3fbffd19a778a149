"""The order kit: a game tells an order once, in a class, and the kit makes everything else of that class.

A game derives a class for each kind of order from one of the kinds below (kinds.py) and fills in what order.py lists. Of it are made

    the declaration    `keys`, `refusals`, `causes`: what a game declares; `record`, `choice`: shapes from types    declaration.py
    the step           `step`, or `order.play` inside a step of the game's own                                      steps.py, kinds.py
    the offers         `offers`                                                                                     offering.py
    the form           `page` and `text_form`                                                                       pages.py, texts.py
    random play        `at_random`                                                                                  random_play.py
    the report         `outcomes`: what became of a seat's orders                                                   outcome.py

The kinds say what stands under the key of an orders file, and how a turn carries it out:

    One         one order                          carried out if there is no objection
    FirstOf     a list of alternatives             the first without an objection is carried out; the others fall away
    Each        a list                             an order with an objection is refused alone; the others are carried out
    Entries     a map                              as Each, with an entry as an order: (word, value)
    Sequence    a list, up to hundreds long        one after the other, each in the state behind those before it; with `stops` nothing
                                                   behind the first objection. `candidates` are those of the next order
    Plan        a list of alternatives,            the first without an objection to any of its `parts` is carried out whole; each
                each of several parts              part has an Order that checks it and carries it out

A candidate is an order in its long form with a `Gap` for each value that is picked: one button with fields in the form, and one
offer. The kit asks the objection for each way to fill the gaps. What the objection rules out by twos goes to the page and the offer
as data (`Pick.unless`, `Pick.when`). If there are too many ways, the game finds the allowed ones itself, `controls` makes candidates of
them, and `Candidate.checked` says so. `behind_one` and `behind_two` say what may follow what (`Pick.rows`), as in the parts of a plan.

What a choice does to other choices is data too: `uses` (words that can be taken once; "{tile}" in a word stands for the picked value),
`costs` and `limits` (counters; by picked values: `Table`), `adds`, `least`, and the facts that it `needs`, `gives` and `ends`. templates/form/counting.js adds
them up; a counter that nobody declares is an error. What depends on the state when the order is carried out, or repeats what other
candidates do, is a `deed` (templates/form/deeds.js).
"""

from kingdom.engine.offer import Gap as Gap
from kingdom.engine.offer import Pick as Pick
from kingdom.engine.offer import Table as Table
from kingdom.orders.kit.declaration import causes as causes
from kingdom.orders.kit.declaration import choice as choice
from kingdom.orders.kit.declaration import keys as keys
from kingdom.orders.kit.declaration import record as record
from kingdom.orders.kit.declaration import refusals as refusals
from kingdom.orders.kit.kinds import Each as Each
from kingdom.orders.kit.kinds import Entries as Entries
from kingdom.orders.kit.kinds import FirstOf as FirstOf
from kingdom.orders.kit.kinds import One as One
from kingdom.orders.kit.kinds import Part as Part
from kingdom.orders.kit.kinds import Plan as Plan
from kingdom.orders.kit.kinds import Sequence as Sequence
from kingdom.orders.kit.offering import behind_one as behind_one
from kingdom.orders.kit.offering import behind_two as behind_two
from kingdom.orders.kit.offering import controls as controls
from kingdom.orders.kit.offering import offers as offers
from kingdom.orders.kit.offering import one_by_one as one_by_one
from kingdom.orders.kit.offering import possible as possible
from kingdom.orders.kit.order import Candidate as Candidate
from kingdom.orders.kit.order import Now as Now
from kingdom.orders.kit.order import Objection as Objection
from kingdom.orders.kit.order import Order as Order
from kingdom.orders.kit.order import Wanted as Wanted
from kingdom.orders.kit.outcome import outcomes as outcomes
from kingdom.orders.kit.pages import Counter as Counter
from kingdom.orders.kit.pages import button as button
from kingdom.orders.kit.pages import page as page
from kingdom.orders.kit.random_play import at_random as at_random
from kingdom.orders.kit.steps import Trial as Trial
from kingdom.orders.kit.steps import step as step
from kingdom.orders.kit.texts import example as example
from kingdom.orders.kit.texts import remark as remark
from kingdom.orders.kit.texts import text_form as text_form
