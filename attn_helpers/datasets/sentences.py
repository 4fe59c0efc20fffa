"""English sentences whose subject, verb and object are marked, to test what attention heads look at."""

from typing import NamedTuple


class Clause(NamedTuple):
    """A sentence and three of its words, each of which occurs once in it.

    Args:
        text: the sentence.
        subject: the noun or pronoun that the verb agrees with.
        verb: the verb.
        object: the noun that is acted on; in a passive sentence, the one who acts ("by her brother").

    Example:
        >>> Clause("The dog chased a cat.", "dog", "chased", "cat").verb
        'chased'

    Source: this book.
    Chapter: notebooks/13_trained_model.ipynb
    """

    text: str
    subject: str
    verb: str
    object: str


class PronounCase(NamedTuple):
    """A sentence with a pronoun, the noun that it stands for, and another noun that it could stand for.

    Args:
        text: the sentence.
        pronoun: it, he or she.
        antecedent: the noun that the pronoun stands for.
        distractor: the other noun.

    Example:
        >>> PRONOUNS[0].antecedent, PRONOUNS[1].antecedent
        ('animal', 'street')

    Source: this book.
    Chapter: notebooks/13_trained_model.ipynb
    """

    text: str
    pronoun: str
    antecedent: str
    distractor: str


# Heads are chosen on these ...
SELECTION = (
    Clause("The farmer sold the old horse in spring.", "farmer", "sold", "horse"),
    Clause("Our neighbour paints small boats.", "neighbour", "paints", "boats"),
    Clause("The girl with the red hat opened the door.", "girl", "opened", "door"),
    Clause("Nobody expected rain that morning.", "nobody", "expected", "rain"),
    Clause("The judge slowly read the long letter.", "judge", "read", "letter"),
    Clause("My sister often buys fresh bread at the market.", "sister", "buys", "bread"),
    Clause("The dog behind the fence chased a cat.", "dog", "chased", "cat"),
    Clause("A young doctor cured the king.", "doctor", "cured", "king"),
    Clause("The storm last night destroyed several wooden houses.", "storm", "destroyed", "houses"),
    Clause("Students in this town learn music.", "students", "learn", "music"),
    Clause("The pilot never forgot his first flight.", "pilot", "forgot", "flight"),
    Clause("Two men carried the very heavy table.", "men", "carried", "table"),
    Clause("The company that built this bridge owns three hotels.", "company", "owns", "hotels"),
    Clause("She found a gold ring under the bed.", "she", "found", "ring"),
    Clause("The teacher finally answered my question.", "teacher", "answered", "question"),
    Clause("Birds eat seeds.", "birds", "eat", "seeds"),
    Clause("The old man at the station sells newspapers.", "man", "sells", "newspapers"),
    Clause("The queen, tired and hungry, left the palace.", "queen", "left", "palace"),
    Clause("Every child in the room knew the answer.", "child", "knew", "answer"),
    Clause("Workers repaired the broken church roof.", "workers", "repaired", "roof"),
    Clause("The captain gave orders.", "captain", "gave", "orders"),
    Clause("His brother quickly washed the dirty plates.", "brother", "washed", "plates"),
    Clause("The museum in Paris shows a famous painting.", "museum", "shows", "painting"),
    Clause("The cook who lost his knife borrowed another spoon.", "cook", "borrowed", "spoon"),
)

# ... and tested on these, which share no verb and no sentence with them.
HELD_OUT = (
    Clause("The lawyer wrote a short report before lunch.", "lawyer", "wrote", "report"),
    Clause("Snow covered the mountains.", "snow", "covered", "mountains"),
    Clause("The boy on the bicycle dropped his bag.", "boy", "dropped", "bag"),
    Clause("Most visitors admire the ancient stone walls.", "visitors", "admire", "walls"),
    Clause("The nurse gently woke the baby.", "nurse", "woke", "baby"),
    Clause("Scientists discovered water on the moon.", "scientists", "discovered", "water"),
    Clause("The woman in the green coat bought two tickets.", "woman", "bought", "tickets"),
    Clause("My uncle rarely drinks strong coffee at night.", "uncle", "drinks", "coffee"),
    Clause("The river that crosses the valley feeds a large lake.", "river", "feeds", "lake"),
    Clause("A soldier guarded the narrow gate.", "soldier", "guarded", "gate"),
    Clause("The committee will probably reject the new plan.", "committee", "reject", "plan"),
    Clause("Wolves hunt deer.", "wolves", "hunt", "deer"),
    Clause("The singer from Vienna broke her left arm.", "singer", "broke", "arm"),
    Clause("The thief hid the stolen money in a barrel.", "thief", "hid", "money"),
    Clause("Children love stories about dragons.", "children", "love", "stories"),
    Clause("The engineers at the factory tested an engine.", "engineers", "tested", "engine"),
    Clause("Her cousin secretly married a rich banker.", "cousin", "married", "banker"),
    Clause("The shop near the harbour offers cheap fish.", "shop", "offers", "fish"),
    Clause("Flames damaged the library.", "flames", "damaged", "library"),
    Clause("The editor carefully checked every single page.", "editor", "checked", "page"),
    Clause("We visited the quiet little village again.", "we", "visited", "village"),
    Clause("The car behind the bus hit a tree.", "car", "hit", "tree"),
    Clause("Bees make honey.", "bees", "make", "honey"),
    Clause("The manager whom everybody feared closed the office.", "manager", "closed", "office"),
    Clause("The gardener planted roses along the wall.", "gardener", "planted", "roses"),
    Clause("This small machine lifts the whole truck.", "machine", "lifts", "truck"),
    Clause("The actors, nervous and pale, entered the stage.", "actors", "entered", "stage"),
    Clause("A stranger in a dark suit followed the driver.", "stranger", "followed", "driver"),
    Clause("The poet burned all his early letters.", "poet", "burned", "letters"),
    Clause("Some villages still use candles.", "villages", "use", "candles"),
    Clause("The mayor of the city praised the brave sailors.", "mayor", "praised", "sailors"),
    Clause("Ice blocked the road.", "ice", "blocked", "road"),
    Clause("The coach almost never changes his team.", "coach", "changes", "team"),
    Clause("The painter on the ladder spilled some yellow paint.", "painter", "spilled", "paint"),
    Clause("Grandmother tells wonderful jokes.", "grandmother", "tells", "jokes"),
    Clause("The officer who saw the gun arrested a suspect.", "officer", "arrested", "suspect"),
    Clause("The wind blew the hat across the square.", "wind", "blew", "hat"),
    Clause("The tall priest silently lit a candle.", "priest", "lit", "candle"),
    Clause("The clerk at the desk signed the paper.", "clerk", "signed", "paper"),
    Clause("An eagle caught the little white rabbit.", "eagle", "caught", "rabbit"),
)

# Passive voice turns the order around: the subject is what something is done to.
PASSIVE = (
    Clause("The fence was painted by her brother.", "fence", "painted", "brother"),
    Clause("The bread was stolen by a hungry boy.", "bread", "stolen", "boy"),
    Clause("The song was sung by two sisters.", "song", "sung", "sisters"),
    Clause("The window was smashed by the wind.", "window", "smashed", "wind"),
    Clause("A new law was passed by the parliament.", "law", "passed", "parliament"),
    Clause("The patient was saved by the young surgeon.", "patient", "saved", "surgeon"),
    Clause("The ship was spotted by divers near the coast.", "ship", "spotted", "divers"),
    Clause("The old bridge was designed by a woman.", "bridge", "designed", "woman"),
    Clause("The meal was cooked by my father.", "meal", "cooked", "father"),
    Clause("The witness was questioned by the police.", "witness", "questioned", "police"),
)

# Six pairs, in which a word or two decide what the pronoun stands for. The first pair is the example of many
# texts on attention, the second that of Levesque et al. 2012 (the Winograd schemas); the others are ours.
PRONOUNS = (
    PronounCase("The animal didn't cross the street because it was too tired.", "it", "animal", "street"),
    PronounCase("The animal didn't cross the street because it was too wide.", "it", "street", "animal"),
    PronounCase("The trophy doesn't fit in the suitcase because it is too big.", "it", "trophy", "suitcase"),
    PronounCase(
        "The trophy doesn't fit in the suitcase because it is too small.", "it", "suitcase", "trophy"
    ),
    PronounCase("The ball broke the window because it was heavy.", "it", "ball", "window"),
    PronounCase("The ball broke the window because it was thin.", "it", "window", "ball"),
    PronounCase("The cat watched the bird until it fell asleep.", "it", "cat", "bird"),
    PronounCase("The cat watched the bird until it flew away.", "it", "bird", "cat"),
    PronounCase("The queen met the king when she arrived.", "she", "queen", "king"),
    PronounCase("The queen met the king when he arrived.", "he", "king", "queen"),
    PronounCase("The mother called her son before she left.", "she", "mother", "son"),
    PronounCase("The mother called her son before he left.", "he", "son", "mother"),
)

# A longer text, for a head that has more keys than its values have numbers.
PARAGRAPH = (
    "The ferry left the island at dawn with eleven passengers and a dog. "
    "An old woman sold tea from a basket, and two boys counted the gulls. "
    "Nobody spoke about the storm that had kept them there for a week. "
    "When the harbour came in sight, the captain rang a small bell, and everybody laughed."
)

SETS = {"selection": SELECTION, "held_out": HELD_OUT, "passive": PASSIVE, "pronouns": PRONOUNS}


def sentences(name: str) -> tuple[Clause, ...] | tuple[PronounCase, ...]:
    """Return one of the four sets of sentences.

    Args:
        name: "selection" (24, to choose heads), "held_out" (40, to test them), "passive" (10) or
            "pronouns" (12).

    Returns:
        `Clause`s, or `PronounCase`s for "pronouns".

    Raises:
        ValueError: an unknown name.

    Example:
        >>> [len(sentences(name)) for name in SETS]
        [24, 40, 10, 12]

    Source: written for this book, except for the first two pairs of pronouns (see there).
    Chapter: notebooks/13_trained_model.ipynb
    """
    if name not in SETS:
        raise ValueError(f"name must be one of {', '.join(SETS)}, got {name!r}.")
    return SETS[name]
