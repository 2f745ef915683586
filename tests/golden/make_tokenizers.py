"""Tokenizers of many kinds, and what the Python library `tokenizers` makes of nasty texts with them.

Writes tokenizers.json beside this script: small trained tokenizers, and for each of them and each text a hash of all
that the library answers. Texts and ids are drawn in the same way here and in src/text/tokenizer/golden.test.ts.

    pip install tokenizers==0.23.3 && python tests/golden/make_tokenizers.py
    python tests/golden/make_tokenizers.py --show KIND NUMBER      what the library answers for one text

The records of a text are: ids; ids with special tokens as text; ids with the post-processor's tokens; the text of the
first ids with and without special tokens. The records of drawn ids are their text with and without special tokens.
"""

import base64
import hashlib
import json
import pathlib
import re
import struct
import sys

import tokenizers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

HERE = pathlib.Path(__file__).parent
TEXT_COUNT, ID_COUNT = 1600, 200

LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN2 = LLAMA3.replace("{1,3}", "")
GPT4O = "|".join([
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
])
GPT4 = r"(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"

FRAGMENTS = r"""
Hello|world|The| quick brown|fox|'s|'S|'ſ|'t|'re|'RE|'ve|'ll|'LL|'d|don't|we'll|I'M|ﬁn|ﬆ|ß|ẞ|ﬀ|s|ſ|K|K
a|e|é|e\u0301|\u0301|a\u0323\u0307|q\u0307\u0323|ñ|Å|Å|ﬃ|½|²|³|¹|¼|Ⅷ|ⅷ|Ⓐ|ⓐ|㎏|㍿|…|™|ﬅ|ĳ|Ǆ|ǅ|İ|ı|Σ|ς|ΑΣ|ΌΣΟΣ|Ω|µ|Ǆ
\u0661\u0662|१२|𝟘𝟙|1|12|123|1234|3.14|1,000|0x1F|-5|½²|٣|①|⑳|〇|一二三|12345678
 |  |   |     |\t|\n|\r\n|\n\n|\r|\x0b|\x0c|\x85|\xa0|\u1680|\u2003|\u2028|\u2029|\u202f|\u3000|\ufeff|\u200b|\u200c|\u200d|\u2060|\u180e|\x1c|\x1f
.|,|!|?|...|!!!|:|;|-|--|_|__|(|)|[|]|{|}|<|>|/|\\|"|'|`|``|''|@|#|$|%|^|&|*|+|=|~|«|»|“|”|‘|’|—|–|¿|¡|、|。|「|」|·|•|€|£|¬|©|°|§
\x00|\x01|\x07|\x08|\x1b|\x7f|\x8f|\x9f|\xad|\u061c|\u200e|\u202e|\u2066|\ufffd|\ufffe|\uffff|\ue000|\U000f0000|\U0010ffff|\U0001fffe
日本語|中文|漢字かな|カタカナ|한국어|한|가|ᄀ|각|Привет|мир|ЁЛКА|ёлка|Ελλά|שלום|שָׁלוֹם|مرحبا|نص|हिन्दी|क्ष|நி|ไทย|ထ|ქართული|Ქ|አማርኛ|ខ្មែរ|᠎ᠮ|བོད|Ꭰ|ꭰ
😀|👩‍👩‍👧‍👦|🇩🇪|🇩|👍🏽|❤️|☀|☀️|🏳️‍🌈|1️⃣|🎵|𐐀|𐐨|𝒜|𠀀|𪚥|丽|豈|\U0001e900|\U00010d50|\U00016ea0
\u0897|\u0ece|\u1dfa|\u1ac5|\U00011938|\U000105c9|\U00016d68|\U0001611e|\U0001e030|\U0001fbf5|\u32ff|\ua7f2|\uab69|\ua7cb|\ua7dc|\u1c89|\u0295|\u166d|\u061d|\u2e4f|\u0346|\u0345|\u0378|\U00011de3|\U00016ff4|\u05d0\u05b8|\u0344|\u0340|\u2126
<s>|</s>|<unk>|<pad>|<mask>|[MASK]|[UNK]|[CLS]|[SEP]|<|endoftext|>|<|im_start|>|<w>|<l>|<r>|<b>|<ab>|<abc>|Tok|tok|TOK|Ünï|ünï|été|▁|▁a|a▁|<0x41>|<0x0A>|<0xE2>|<x y>|##|##a|a##|</w>|Ġ|Ċ|ġa|Ġa|Ä|â
print(|x = 1;|if (a && b) {|return|const page = await|function|def f(x):|import os|  # note|// ok|</div>|<a href="x">|https://example.com/a?b=c&d=e|user@mail.test|C:\\dir|\\n|\\u00e9|{"k": [1, 2]}|SELECT * FROM t;
aaaa|abab|====|-----|....|......a|zzzzzzzz|xyxyxy|thethethe|ÀÀÀ|ааа|ABCdefGHI|camelCase|snake_case|UPPER|don’t|l'été|rock'n'roll| ' |do not|n't|it 's
""".strip()
ESCAPE = re.compile(r"\\(n|t|r|x..|u....|U........|\\)")


def unescape(word: str) -> str:
    """Reads escapes as Python does. Other backslashes stay."""
    return ESCAPE.sub(lambda found: found[0].encode().decode("unicode_escape"), word)


LISTED = [word for line in FRAGMENTS.split("\n") for word in line.replace("<|", "<\0").replace("|>", "\0>").split("|")]
# The separator of the list is itself a nasty text.
WORDS = [unescape(word.replace("<\0", "<|").replace("\0>", "|>")) for word in LISTED] + ["|", "||", "\\"]
BLOCKS = [
    (0x00, 0x80), (0x20, 0x5F), (0x80, 0x180), (0x250, 0x180), (0x370, 0x190), (0x5D0, 0x130), (0x900, 0x200), (0x1AB0, 0x50),
    (0x1E00, 0x100), (0x2000, 0x70), (0x2070, 0x130), (0x2190, 0x100), (0x2460, 0xA0), (0x2E00, 0x80), (0x3000, 0x100),
    (0x3200, 0x200), (0x4E00, 0x60), (0xA640, 0x1C0), (0xAC00, 0x40), (0x1100, 0x100), (0xF900, 0x100), (0xFB00, 0x50), (0xFE00, 0x200),
    (0x10400, 0x80), (0x10D40, 0x60), (0x11380, 0x60), (0x11900, 0x60), (0x16100, 0x40), (0x16EA0, 0x40), (0x1D400, 0x400),
    (0x1E000, 0x90), (0x1F100, 0xA0), (0x1F300, 0x200), (0x1FB00, 0x100), (0x20000, 0x20), (0x2F800, 0x80), (0xE0100, 0x10),
]


class Draws:
    """A linear congruential generator. The low bits are poor, so they are not used."""

    def __init__(self, seed: int):
        self.state = seed & 0xFFFFFFFF

    def below(self, limit: int) -> int:
        self.state = (self.state * 1664525 + 1013904223) & 0xFFFFFFFF
        return (self.state >> 8) % limit


def draw_text(number: int) -> str:
    draws = Draws(number * 7919 + 17)
    parts = []
    for _ in range(1 + draws.below(14)):
        kind = draws.below(12)
        if kind < 9:
            parts.append(WORDS[draws.below(len(WORDS))])
        elif kind == 9:
            parts.append(WORDS[draws.below(len(WORDS))] * (1 + draws.below(20)))
        else:
            start, size = BLOCKS[draws.below(len(BLOCKS))]
            parts.append("".join(chr(start + draws.below(size)) for _ in range(1 + draws.below(4))))
        if draws.below(3) == 0:
            parts.append(" ")
    return "".join(parts)


def draw_ids(number: int, vocabulary: int) -> list[int]:
    draws = Draws(number * 104729 + 5)
    return [draws.below(vocabulary + 3) for _ in range(draws.below(16))]


PLAIN_TRAINING = [
    "The agent writes code against the APIs of many apps: search, pay, message, play. It's what we'll do, isn't it?",
    "const page = await apis.contacts.list({ page: 1 }); print(page[0].name);",
    "    if (x >= 10) {\n        return 2025;\n    }\n\n" * 2,
    "Hello world, the quick brown fox jumps over the lazy dog. Don't stop! They're here; we've 1234 things to do.",
    "naïve Café déjà vu, l'été. Привет, мир! Ελλάδα. 日本語 中文 한국어 مرحبا",
    "aaaa bbbb abab ==== ---- .... zzzzzz the the the",
] * 6
TRAINING = [draw_text(number) for number in range(5000, 5400)] + PLAIN_TRAINING


def charsmap() -> bytes:
    """Replacements of characters in SentencePiece's binary form: a double-array trie and texts that end with zero."""
    rules = {"ﬁ": "fi", "½": "1⁄2", "²": "2", "Å": "Å", "é": "é", "\t": " ", "\n": " ", "\u3000": " ", "\xa0": " ", "\r": "",
             "…": "...", "e\u0301": "é", "a\u0323": "ạ", "Σ": "σ", "Ⓐ": "A", "\u200b": "", "㎏": "kg", "ａ": "a", "\u0301": "´",
             "☀": "sun", "#": "＃", "1": "one", "カ": "か", "\u0345": "ι", "\ufeff": "", "q": "kw", "𝒜": "A"}
    texts, offsets = b"", {}
    for key, value in rules.items():
        offsets[key.encode()] = len(texts)
        texts += value.encode() + b"\0"
    units, used = {0: 0}, {0}

    def place(position: int, prefix: bytes) -> None:
        labels = sorted({key[len(prefix)] for key in offsets if key.startswith(prefix) and len(key) > len(prefix)})
        slots = ([0] if prefix in offsets else []) + labels
        base = next(base for base in range(1, 1 << 16) if not any(base ^ slot in used for slot in slots))
        used.update(base ^ slot for slot in slots)
        units[position] |= (position ^ base) << 10 | (0x100 if prefix in offsets else 0)
        if prefix in offsets:
            units[base] = offsets[prefix] | 1 << 31
        for label in labels:
            units[base ^ label] = label
        for label in labels:
            place(base ^ label, prefix + bytes([label]))

    place(0, b"")
    array = [units.get(position, 0) for position in range((max(units) | 0xFF) + 1)]
    return struct.pack("<I", 4 * len(array)) + struct.pack(f"<{len(array)}I", *array) + texts


ALPHABET = pre_tokenizers.ByteLevel.alphabet()
ODD_TOKENS = [
    AddedToken("<w>", single_word=True, normalized=False),
    AddedToken("<l>", lstrip=True, normalized=False),
    AddedToken("<r>", rstrip=True, normalized=False),
    AddedToken("<b>", lstrip=True, rstrip=True, normalized=False),
    AddedToken("<ab>", normalized=False),
    AddedToken("<ab><abc>", normalized=False),
    AddedToken("Tok", normalized=True, single_word=True),
    AddedToken("Ünï", normalized=True),
    AddedToken("<x y>", normalized=True, lstrip=True),
]


def assemble(model, trainer=None, *, normalizer=None, cut=None, decoder=None, special=(), added=(), after=None,
             texts=TRAINING) -> Tokenizer:
    tokenizer = Tokenizer(model)
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    if cut is not None:
        tokenizer.pre_tokenizer = cut
    if trainer is not None:
        tokenizer.train_from_iterator(texts, trainer)
    if decoder is not None:
        tokenizer.decoder = decoder
    if special:
        tokenizer.add_special_tokens(list(special))
    if added:
        tokenizer.add_tokens(list(added))
    if after is not None:
        tokenizer.post_processor = after(tokenizer)
    return tokenizer


def bytes_trainer(size=340):
    return trainers.BpeTrainer(vocab_size=size, initial_alphabet=ALPHABET, show_progress=False)


def byte_level(pattern: str, normalizer=None, ignore_merges=False, special=("<|endoftext|>", "<|im_start|>"), added=()):
    split = pre_tokenizers.Split(Regex(pattern), behavior="isolated")
    cut = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    return assemble(models.BPE(ignore_merges=ignore_merges), bytes_trainer(), normalizer=normalizer, cut=cut,
                    decoder=decoders.ByteLevel(), special=[AddedToken(name, normalized=False) for name in special], added=added,
                    after=lambda t: processors.TemplateProcessing(single="<|endoftext|> $A", special_tokens=[
                        ("<|endoftext|>", t.token_to_id("<|endoftext|>"))]))


def sentence_piece_bpe(missing_bytes=0, **parts) -> Tokenizer:
    """Trains byte-pair encoding on characters, and then lets it fall back to bytes."""
    specials = ["<unk>", "<s>", "</s>", *[f"<0x{byte:02X}>" for byte in range(256 - missing_bytes)]]
    trainer = trainers.BpeTrainer(vocab_size=460, special_tokens=specials, limit_alphabet=90, show_progress=False)
    trained = json.loads(assemble(models.BPE(unk_token="<unk>"), trainer, normalizer=parts.get("normalizer"), cut=parts.get("cut")).to_str())["model"]
    model = models.BPE(vocab=trained["vocab"], merges=[tuple(merge) for merge in trained["merges"]], unk_token="<unk>",
                       fuse_unk=parts.pop("fuse_unk", True), byte_fallback=True)
    special = [AddedToken(name, normalized=False) for name in specials[:3]]
    return assemble(model, special=special, after=lambda t: processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A <s> $B", special_tokens=[("<s>", 1), ("</s>", 2)]), **parts)


def unigram(size=320, **parts) -> Tokenizer:
    specials = parts.pop("names", ["<pad>", "</s>", "<unk>"])
    trainer = trainers.UnigramTrainer(vocab_size=size, special_tokens=specials, unk_token="<unk>", show_progress=False)
    # The trainer wants every character of its texts in the vocabulary.
    texts = PLAIN_TRAINING + [draw_text(number) for number in range(5000, 5012)]
    return assemble(models.Unigram(), trainer, texts=texts, special=[AddedToken(name, normalized=False) for name in specials], **parts)


def word_piece(lowercase: bool, **parts) -> Tokenizer:
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.WordPieceTrainer(vocab_size=500, special_tokens=specials, limit_alphabet=160, show_progress=False)
    normalizer = normalizers.BertNormalizer(lowercase=lowercase, strip_accents=None if lowercase else False)
    return assemble(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=30), trainer, normalizer=normalizer,
                    cut=pre_tokenizers.BertPreTokenizer(), decoder=decoders.WordPiece(cleanup=lowercase),
                    special=[AddedToken(name, normalized=False) for name in specials],
                    after=lambda t: processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2)), **parts)


def word_level(size=400, specials=("<unk>", "<pad>"), **parts) -> Tokenizer:
    trainer = trainers.WordLevelTrainer(vocab_size=size, special_tokens=list(specials), show_progress=False)
    return assemble(models.WordLevel(unk_token="<unk>"), trainer, **parts)


def splits(*rules):
    return pre_tokenizers.Sequence([pre_tokenizers.Split(pattern, behavior, invert) for pattern, behavior, invert in rules])


METASPACE = pre_tokenizers.Metaspace
LLAMA2_DECODER = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
KINDS = {
    "gpt2": lambda: assemble(models.BPE(), bytes_trainer(), cut=pre_tokenizers.ByteLevel(add_prefix_space=False),
                             decoder=decoders.ByteLevel(), special=["<|endoftext|>"], added=ODD_TOKENS),
    "roberta": lambda: assemble(
        models.BPE(), bytes_trainer(), cut=pre_tokenizers.ByteLevel(add_prefix_space=True), decoder=decoders.ByteLevel(),
        special=["<s>", "</s>", AddedToken("<mask>", lstrip=True, normalized=False)], added=ODD_TOKENS[3:7],
        after=lambda t: processors.RobertaProcessing(("</s>", t.token_to_id("</s>")), ("<s>", t.token_to_id("<s>")))),
    "llama3": lambda: byte_level(LLAMA3, ignore_merges=True),
    "qwen2": lambda: byte_level(QWEN2, normalizers.NFC(), added=[AddedToken("<mask>", normalized=False), *ODD_TOKENS[6:]]),
    "gpt4o": lambda: byte_level(GPT4O),
    "gpt4": lambda: byte_level(GPT4),
    "llama2": lambda: sentence_piece_bpe(
        normalizer=normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]), decoder=LLAMA2_DECODER, added=ODD_TOKENS),
    "mistral": lambda: sentence_piece_bpe(cut=METASPACE(prepend_scheme="first", split=False), decoder=LLAMA2_DECODER, added=ODD_TOKENS[:4]),
    "gemma": lambda: sentence_piece_bpe(
        missing_bytes=60, fuse_unk=False, normalizer=normalizers.Replace(" ", "▁"), cut=pre_tokenizers.Split(" ", "merged_with_previous"),
        decoder=decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]), added=ODD_TOKENS[6:]),
    "t5": lambda: unigram(
        normalizer=normalizers.Precompiled(charsmap()), cut=pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), METASPACE()]),
        decoder=decoders.Metaspace(), added=ODD_TOKENS[:3],
        after=lambda t: processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])),
    "xlnet": lambda: unigram(
        normalizer=normalizers.Sequence([normalizers.Replace("``", '"'), normalizers.Replace("''", '"'), normalizers.NFKD(),
                                         normalizers.StripAccents(), normalizers.Lowercase(), normalizers.Replace(Regex(" {2,}"), " ")]),
        cut=METASPACE(prepend_scheme="first"), decoder=decoders.Metaspace(prepend_scheme="first"), added=ODD_TOKENS[4:]),
    "albert": lambda: unigram(
        names=["<pad>", "</s>", "<unk>", *[f"<0x{byte:02X}>" for byte in range(256)]], size=520,
        normalizer=normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), normalizers.Strip(left=True, right=False)]),
        cut=METASPACE(prepend_scheme="never", replacement="_"), decoder=decoders.Metaspace(prepend_scheme="never", replacement="_")),
    "bert": lambda: word_piece(True, added=ODD_TOKENS),
    "bert-cased": lambda: word_piece(False),
    "words": lambda: word_level(
        normalizer=normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase(), normalizers.Strip()]), cut=pre_tokenizers.Whitespace(),
        special=["<unk>"], added=ODD_TOKENS),
    "suffixes": lambda: assemble(
        models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"),
        trainers.BpeTrainer(vocab_size=480, special_tokens=["<unk>"], end_of_word_suffix="</w>", limit_alphabet=120, show_progress=False),
        normalizer=normalizers.NFD(), cut=pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation("contiguous"),
                                                                  pre_tokenizers.Digits(individual_digits=True)]),
        decoder=decoders.BPEDecoder(suffix="</w>"), special=["<unk>"]),
    "prefixes": lambda: assemble(
        models.BPE(unk_token="<unk>", continuing_subword_prefix="##", fuse_unk=True),
        trainers.BpeTrainer(vocab_size=480, special_tokens=["<unk>"], continuing_subword_prefix="##", limit_alphabet=100, show_progress=False),
        cut=pre_tokenizers.Sequence([pre_tokenizers.BertPreTokenizer(), pre_tokenizers.Digits(individual_digits=False)]),
        decoder=decoders.WordPiece(prefix="##", cleanup=True), special=["<unk>"]),
    "deepseek": lambda: assemble(
        models.BPE(), bytes_trainer(), decoder=decoders.ByteLevel(), special=["<|endoftext|>"],
        cut=pre_tokenizers.Sequence([
            pre_tokenizers.Split(Regex(r"\p{N}{1,3}"), "isolated"), pre_tokenizers.Split(Regex("[一-龥぀-ゟ゠-ヿ]+"), "isolated"),
            pre_tokenizers.Split(Regex(
                r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"),
                "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])),
    "cuts": lambda: word_level(
        cut=splits(("-", "merged_with_previous", False), (Regex(r"[aeiouα-ω]"), "merged_with_next", False), (Regex(r"\s"), "removed", False),
                   (Regex(r"[^\p{Han}]+"), "contiguous", True), (Regex(r"(?<=\p{Ll})(?=\p{Lu})"), "isolated", False),
                   (Regex(r"\b"), "isolated", False), (Regex(r"[[:punct:]&&[^,;]]+|^x|y$|\Az|\h{2}"), "isolated", False))),
    "ctc": lambda: word_level(
        specials=["<unk>", "<pad>", "|"], cut=pre_tokenizers.Sequence([pre_tokenizers.CharDelimiterSplit("a"), pre_tokenizers.FixedLength(2)]),
        decoder=decoders.CTC(), special=["<pad>"]),
    "bytes": lambda: assemble(
        models.BPE(), bytes_trainer(), normalizer=normalizers.Sequence([normalizers.NFD(), normalizers.ByteLevel()]),
        decoder=decoders.ByteLevel(), special=["<s>"], added=ODD_TOKENS),
    "latin": lambda: word_level(
        normalizer=normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=False),
        cut=pre_tokenizers.Sequence([pre_tokenizers.Punctuation("removed"), METASPACE(prepend_scheme="first")]),
        decoder=decoders.Sequence([decoders.Metaspace(), decoders.Strip("x", 2, 0)])),
}


def answer(call):
    """What a call returns, or that it fails. Some failures are panics, which are no Exception."""
    try:
        return call()
    except BaseException:  # noqa: BLE001
        return None


def line(value) -> str:
    if value is None:
        return "error"
    return value if isinstance(value, str) else ",".join(map(str, value))


def text_records(tokenizer: Tokenizer, text: str) -> list[str]:
    tokenizer.encode_special_tokens = False
    ids = answer(lambda: tokenizer.encode(text, add_special_tokens=False).ids)
    processed = answer(lambda: tokenizer.encode(text).ids)
    tokenizer.encode_special_tokens = True
    plain = answer(lambda: tokenizer.encode(text, add_special_tokens=False).ids)
    return [line(ids), line(plain), line(processed), *id_records(tokenizer, ids or [])]


def id_records(tokenizer: Tokenizer, ids: list[int]) -> list[str]:
    return [line(answer(lambda: tokenizer.decode(ids, skip_special_tokens=skip))) for skip in (False, True)]


def blocked_ids(tokenizer: Tokenizer) -> set[int]:
    model = json.loads(tokenizer.to_str())["model"]
    unknown = model.get("unk_token") or (model["vocab"][model["unk_id"]][0] if model["type"] == "Unigram" else None)
    return {id for id, token in tokenizer.get_added_tokens_decoder().items() if token.special and token.content != unknown}


def digest(records: list[str]) -> str:
    return base64.b64encode(hashlib.sha1("\n".join(records).encode("utf-8", "surrogatepass")).digest()[:3]).decode()


def record(tokenizer: Tokenizer) -> dict:
    blocked = blocked_ids(tokenizer)
    hashes, formed = "", []
    for number in range(TEXT_COUNT):
        records = text_records(tokenizer, draw_text(number))
        # Where the library forms a special token from text, we do not.
        if blocked & {int(id) for id in records[1].split(",") if id.isdigit()}:
            formed.append(number)
            records[1] = "formed"
        hashes += digest(records)
    size = tokenizer.get_vocab_size()
    decoded = "".join(digest(id_records(tokenizer, draw_ids(number, size))) for number in range(ID_COUNT))
    return dict(vocabulary=size, hashes=hashes, formed=formed, decoded=decoded, file=json.loads(tokenizer.to_str()))


def main() -> None:
    if "--show" in sys.argv:
        kind, number = sys.argv[-2], int(sys.argv[-1])
        text = draw_text(number)
        stored = json.loads((HERE / "tokenizers.json").read_text())["kinds"][kind]["file"]
        print(json.dumps([text, *text_records(Tokenizer.from_str(json.dumps(stored)), text)], ensure_ascii=True, indent=1))
        return
    kinds = {}
    for name, create in KINDS.items():
        # What is compared is the tokenizer of the stored file.
        kinds[name] = record(Tokenizer.from_str(create().to_str()))
        print(name, kinds[name]["vocabulary"], len(json.dumps(kinds[name]["file"])), len(kinds[name]["formed"]))
    golden = dict(made=f"tokenizers {tokenizers.__version__}", words=WORDS, blocks=BLOCKS, kinds=kinds)
    (HERE / "tokenizers.json").write_text(json.dumps(golden, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
