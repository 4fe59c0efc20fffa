"""Tokens in the page are those of the Python library, on texts of many scripts."""

import json
import random
import subprocess
import unicodedata

import pytest
from built_site import ROOT
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from livetorch.inside.tokens import TokenizedText

SCRIPTS = {
    "latin": (0x41, 0x17F),
    "greek": (0x391, 0x3C9),
    "cyrillic": (0x410, 0x44F),
    "hebrew": (0x5D0, 0x5EA),
    "arabic": (0x621, 0x64A),
    "devanagari": (0x905, 0x939),
    "thai": (0xE01, 0xE3A),
    "hangul": (0xAC00, 0xAFFF),
    "kana": (0x3041, 0x30FF),
    "han": (0x4E00, 0x5FFF),
    "signs": (0x20, 0x7E),
    "emoji": (0x1F600, 0x1F64F),
    "marks": (0x300, 0x36F),
    "maths": (0x2200, 0x22FF),
}
SPACES = [" ", "  ", "\n", "\t", "\u00a0", "", "", "'s ", "-", ". ", "…", "123", "¿"]
FIRST = ["", " ", "The dog's bone, isn't it?", "naïve café", "ﬁ ½ Å", "don't  stop", "a\u200db", "I'LL", "𝔘"]


def texts(count):
    draw = random.Random(0)
    made = list(FIRST)
    while len(made) < count:
        kinds = draw.sample(list(SCRIPTS), 2)
        words = []
        for _ in range(draw.randint(1, 6)):
            low, high = SCRIPTS[draw.choice(kinds)]
            signs = [chr(draw.randint(low, high)) for _ in range(draw.randint(1, 7))]
            words += [
                "".join(sign for sign in signs if unicodedata.category(sign) != "Cn"),
                draw.choice(SPACES),
            ]
        made.append("".join(words))
    return made


def _word_piece(learn):
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    learn(
        made,
        trainers.WordPieceTrainer(
            vocab_size=2000, special_tokens=["[UNK]", "[CLS]", "[SEP]"], show_progress=False
        ),
    )
    made.post_processor = processors.TemplateProcessing(
        "[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    made.decoder = decoders.WordPiece()
    return made


def _bytes(learn):
    made = Tokenizer(models.BPE())
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    learn(made, trainers.BpeTrainer(vocab_size=1500, initial_alphabet=alphabet, show_progress=False))
    return made


def _unigram(learn):
    """Pieces of the texts with scores by chance: training one refuses so many scripts."""
    draw = random.Random(1)
    words = [word for text in texts(500) for word in unicodedata.normalize("NFKC", text).split()]
    pieces = {f"▁{word}"[: draw.randint(1, 4)] for word in words} | {word[1:4] for word in words}
    scored = [(piece, -draw.uniform(1, 12)) for piece in sorted(pieces) if piece]
    made = Tokenizer(models.Unigram([("<unk>", 0.0), ("</s>", 0.0), *scored], unk_id=0, byte_fallback=False))
    made.normalizer, made.pre_tokenizer = normalizers.NFKC(), pre_tokenizers.Metaspace()
    made.post_processor = processors.TemplateProcessing("$A </s>", special_tokens=[("</s>", 1)])
    made.decoder = decoders.Metaspace()
    return made


@pytest.mark.parametrize("make", [_word_piece, _bytes, _unigram])
def test_tokens_are_those_of_the_library(make):
    given = texts(2000)
    made = make(lambda tokenizer, trainer: tokenizer.train_from_iterator(given[::2], trainer))
    field = TokenizedText("a", tokenizer=made, length=4096)
    sent = json.dumps({"readings": [field.to_spec("text")], "texts": given})
    node = ["node", str(ROOT / "tests/rare/inside/read.mjs")]
    (read,) = json.loads(subprocess.run(node, input=sent, capture_output=True, text=True, check=True).stdout)
    wrong = [
        (text, one["ids"], field._read(text)[1])
        for text, one in zip(given, read, strict=True)
        if (one["tokens"], one["ids"]) != field._read(text)
    ]
    assert wrong == [], f"{len(wrong)} of {len(given)}"
