"""Tasks in words, drawn with a seed: one a chapter, with names, sentences, sizes and numbers of its own.

Each gives what is asked, the answer as it is computed, and wrong answers with what to say.
"""

import math
import random
from collections.abc import Callable
from typing import Any

import torch

PEOPLE = ("Ada", "Bela", "Chidi", "Dana", "Emre", "Fatou", "Goro", "Hana", "Ines", "Jonas", "Kemal", "Lina")
TOWNS = ("Bergen", "Accra", "Lima", "Osaka", "Tartu", "Perth", "Quito", "Izmir", "Turku", "Porto")
NOUNS = ("fox", "crow", "goat", "duck", "otter", "horse", "wolf", "hen", "mouse", "cat", "owl", "bee")
VERBS = ("saw", "heard", "followed", "liked", "met", "feared", "chased", "knew")
MADE_UP = ("dax", "wug", "fep", "zib", "mip", "toma", "blik", "kiv", "lorp", "sen")

Asked = tuple[str, float, dict[str, float]]
Draw = random.Random


def sentence(draw: Draw, length: int) -> list[str]:
    """Draw a sentence without a word that comes twice."""
    one, two, three = draw.sample(NOUNS, 3)
    first, second = draw.sample(VERBS, 2)
    return ["the", one, first, f"{draw.choice(PEOPLE)}'s", two, "and", second, "that", three][:length]


def shares(scores: list[float]) -> list[float]:
    """Give the softmax of some scores."""
    return torch.tensor(scores, dtype=torch.float64).softmax(0).tolist()


def split(draw: Draw, total: int, count: int) -> list[int]:
    """Cut a whole number into parts, none of which is 0."""
    cuts = sorted(draw.sample(range(1, total), count - 1))
    return [b - a for a, b in zip([0, *cuts], [*cuts, total], strict=True)]


def listed(names: list[str], numbers: list[Any]) -> str:
    """Write what belongs to each name."""
    return ", ".join(f"{name}: {number}" for name, number in zip(names, numbers, strict=True))


def _average(draw: Draw) -> Asked:
    towns, hour = draw.sample(TOWNS, draw.randint(3, 5)), draw.randint(5, 20)
    away = draw.sample(range(1, 8), len(towns))
    degrees = draw.sample(range(5, 35), len(towns))
    weights = shares([-(d**2) / 8 for d in away])
    right = sum(w * t for w, t in zip(weights, degrees, strict=True))
    bells = sum(math.exp(-(d**2) / 8) * t for d, t in zip(away, degrees, strict=True))
    text = f"{draw.choice(PEOPLE)} guesses the temperature from the towns around. Kilometres away: "
    text += f"{listed(towns, away)}. Degrees at hour {hour}: {listed(towns, degrees)}. "
    text += "What does a Gaussian kernel of width 2 km give?"
    return (
        text,
        right,
        {
            "That is the plain mean. Near towns count more.": sum(degrees) / len(degrees),
            "The weights must add up to 1: divide by the sum of the bells.": bells,
        },
    )


def _scaled(draw: Draw) -> Asked:
    words, dim = sentence(draw, draw.randint(3, 5)), draw.choice((4, 9, 16))
    products = draw.sample(range(-3, 9), len(words))
    at = draw.randrange(len(words))
    text = f"A query's dot products with the keys are {listed(words, products)}. Vectors have {dim} numbers. "
    text += f"Which weight does `{words[at]}` get in scaled dot-product attention?"
    return (
        text,
        shares([p / dim**0.5 for p in products])[at],
        {
            "That is the weight without scaling: divide by the root of the size first.": shares(products)[at],
            "Divide by the root of the size, not by the size.": shares([p / dim for p in products])[at],
        },
    )


def _masked(draw: Draw) -> Asked:
    words, fillers = sentence(draw, draw.randint(3, 6)), draw.randint(1, 3)
    scores = [draw.randint(0, 5) / 2 for _ in words]
    at = draw.randrange(len(words))
    text = f"A sentence is filled up with {fillers} `<pad>`, whose scores are 0. The scores of a query are "
    text += f"{listed(words, scores)}. The padding is masked. Which weight does `{words[at]}` get?"
    wrong = {
        "The padding still takes part: mask it before the softmax.": shares(scores + [0.0] * fillers)[at]
    }
    return text, shares(scores)[at], wrong


def _additive(draw: Draw) -> Asked:
    town, person = draw.choice(TOWNS), draw.choice(PEOPLE)
    units = draw.randint(2, 4)
    query, key = ([draw.randint(-9, 9) / 10 for _ in range(units)] for _ in "qk")
    last = [draw.choice((-3, -2, -1, 1, 2, 3)) for _ in range(units)]
    sums = [q + k for q, k in zip(query, key, strict=True)]
    text = f"{person}'s wish, multiplied by W_q, is {query}. The town {town}, multiplied by W_k, is {key}. "
    text += f"w_v is {last}. Which additive score does {town} get?"
    right = sum(v * math.tanh(s) for v, s in zip(last, sums, strict=True))
    wrong = {"tanh is missing.": sum(v * s for v, s in zip(last, sums, strict=True))}
    return text, right, wrong


def _context(draw: Draw) -> Asked:
    words = draw.sample(NOUNS, draw.randint(3, 5))
    weights = [part / 100 for part in split(draw, 100, len(words))]
    states = draw.sample(range(-9, 10), len(words))
    text = f"A decoder looks at a source of {len(words)} words with the weights {listed(words, weights)}. "
    text += f"One number of the encoder's states is {listed(words, states)}. What is it in the context?"
    right = sum(w * s for w, s in zip(weights, states, strict=True))
    return (
        text,
        right,
        {"That is the plain mean: each state counts with its weight.": sum(states) / len(states)},
    )


def _layer_size(draw: Draw) -> Asked:
    words, width = sentence(draw, draw.randint(4, 9)), draw.randint(3, 12)
    size = draw.randint(2, 8)
    text = (
        f"A self-attention layer reads `{' '.join(words)}`. Each word has {width} numbers; queries, keys and "
    )
    text += f"values have {size}. How many numbers do W_q, W_k and W_v hold together, without biases?"
    wrong = {
        "That is one matrix. There are three.": width * size,
        "The matrices do not grow with the sentence.": 3 * width * size * len(words),
    }
    return text, 3 * width * size, wrong


def _alibi(draw: Draw) -> Asked:
    words, slope = sentence(draw, draw.randint(3, 6)), draw.choice((0.25, 0.5, 1.0))
    at = draw.randrange(len(words) - 1)
    back = [len(words) - 1 - i for i in range(len(words))]
    text = (
        f"All words of `{' '.join(words)}` score alike. With ALiBi and slope {slope}, which weight does the "
    )
    text += f"last word give to `{words[at]}`?"
    weights = shares([-slope * d for d in back])
    wrong = {"That is the word as far from the front: count back from the last word.": weights[back[at]]}
    return text, weights[at], {} if back[at] == at else wrong


def _difference(draw: Draw) -> Asked:
    people = draw.sample(PEOPLE, draw.randint(3, 5))
    apples = draw.sample(range(1, 20), len(people))
    one, two = draw.sample(range(len(people)), 2)
    share = draw.choice((0.7, 0.8, 0.9))
    rest = (1 - share) / (len(people) - 1)
    total = sum(apples)
    first, second = (share * apples[i] + rest * (total - apples[i]) for i in (one, two))
    text = f"Apples: {listed(people, apples)}. Head 1 gives {share} of its weight to {people[one]}, "
    text += f"head 2 as much to {people[two]}; the rest is split evenly among the others. "
    text += "W_o takes head 2 from head 1. What is the answer?"
    wrong = {"Part of each head's weight is on the other people.": apples[one] - apples[two]}
    return text, first - second, wrong


def _cache(draw: Draw) -> Asked:
    person, tokens, about = draw.choice(PEOPLE), draw.randint(5, 40) * 100, draw.choice(NOUNS)
    layers, heads, size = draw.randint(4, 20), draw.choice((4, 8, 12)), draw.choice((32, 64, 128))
    numbers = layers * heads * size * tokens
    text = f"{person}'s model has {layers} layers with {heads} heads of {size} numbers for a key and "
    text += f"as many for a value. It has read {tokens} tokens of a story about the {about}. "
    text += "How many million numbers does its cache hold?"
    return text, 2 * numbers / 1e6, {"That counts keys alone. Values are kept as well.": numbers / 1e6}


def _temperature(draw: Draw) -> Asked:
    words, temperature = draw.sample(NOUNS, draw.randint(3, 5)), draw.choice((0.5, 2.0, 4.0))
    logits = draw.sample([i / 2 for i in range(-4, 7)], len(words))
    at = draw.randrange(len(words))
    hot = shares([x / temperature for x in logits])
    text = f"After `{draw.choice(PEOPLE)} {draw.choice(VERBS)} the` a model's logits are "
    text += f"{listed(words, logits)}. How likely is `{words[at]}` at temperature {temperature}?"
    return (
        text,
        hot[at],
        {
            "That is at temperature 1.": shares(logits)[at],
            "Divide by the temperature; you multiplied.": shares([x * temperature for x in logits])[at],
        },
    )


def _followers(draw: Draw) -> Asked:
    first, *others = draw.sample(MADE_UP, draw.randint(3, 5))
    times = [draw.randint(1, 3) for _ in others]
    runs = [f"{first} {word}" for word, n in zip(others, times, strict=True) for _ in range(n)]
    draw.shuffle(runs)
    text = (
        f"An induction head set by hand reads `{' '.join([*runs, first])}` and copies what followed {first} "
    )
    text += f"before, each time with equal weight. What share does {others[0]} get?"
    wrong = {"It counts as often as it stands there.": 1 / len(others)}
    wrong |= {f"Only what follows {first} counts, not {first} itself.": times[0] / (2 * sum(times))}
    return text, times[0] / sum(times), wrong


def _patches(draw: Draw) -> Asked:
    person, patch = draw.choice(PEOPLE), draw.choice((4, 8, 14, 16))
    down, across, heads = draw.randint(2, 9), draw.randint(2, 9), draw.randint(2, 12)
    text = f"{person}'s photograph of a {draw.choice(NOUNS)} has {down * patch} x {across * patch} pixels "
    text += f"and is cut into patches of {patch} x {patch}. A layer has {heads} heads. "
    text += "There is a class token, too. How many weights does the layer compute?"
    tokens = down * across + 1
    return (
        text,
        heads * tokens**2,
        {
            "The class token attends and is attended to as well.": heads * (tokens - 1) ** 2,
            "That is one head.": tokens**2,
        },
    )


def _renormalised(draw: Draw) -> Asked:
    words = sentence(draw, draw.randint(3, 5))
    special = draw.randint(55, 85)
    parts = split(draw, 100 - special, len(words))
    at = draw.randrange(len(words))
    text = f"A head gives [CLS] {special / 100}, and the words {listed(words, [p / 100 for p in parts])}. "
    text += "[CLS] is left out and the other weights stretched until they add up to 1. "
    text += f"What does `{words[at]}` get?"
    return text, parts[at] / sum(parts), {"These weights do not add up to 1 yet.": parts[at] / 100}


TASKS: dict[str, Callable[[Draw], Asked]] = {
    f"{number:02}": task
    for number, task in enumerate(
        (
            *(_average, _scaled, _masked, _additive, _context, _layer_size, _alibi, _difference),
            *(_cache, _temperature, _followers, _patches, _renormalised),
        ),
        1,
    )
}


def drawn(chapter: str, seed: int) -> tuple[str, dict[str, Any]]:
    """Give a chapter's task in words, and the question as it is graded; what is right is no known mistake."""
    text, right, wrong = TASKS[chapter](random.Random(f"words {chapter} {seed}"))
    tolerance = 0.005 * abs(right) + 1e-6
    apart = [{"value": v, "why": why} for why, v in wrong.items() if abs(v - right) > 2 * tolerance]
    spec = {"kind": "number", "answer": right, "tolerance": tolerance, "mistakes": apart}
    return text, spec | {"explain": "That is what the numbers of your task give."}
