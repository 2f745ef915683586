"""What the Python library `tokenizers` knows about characters, as a TypeScript file.

The library asks four sources with three versions of Unicode: Oniguruma (patterns), Rust (lower case, numbers) and two
old crates (punctuation and control characters, normalization). This script asks the library about every code point,
so the tables hold on every version of Node.

    pip install tokenizers==0.23.3 && python tests/golden/make_unicode_tables.py
"""

import pathlib
import textwrap
import unicodedata

import tokenizers
from tokenizers import Regex, normalizers, pre_tokenizers

OUT = pathlib.Path(__file__).parents[2] / "src/text/tokenizer/unicode/tables.ts"
CODES = [code for code in range(0x110000) if not 0xD800 <= code < 0xE000]
EVERYTHING = "".join(map(chr, CODES))
CATEGORIES = (
    "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co".split()
)
# BERT's cleaning turns these into spaces. It removes other white space, such as a form feed, as control characters.
SPACES = {9, 10, 13, 32, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000}


def removed_by(normalizer) -> set[int]:
    rest = set(normalizer.normalize_str(EVERYTHING))
    return {code for code in CODES if chr(code) not in rest}


def in_class(pattern: str) -> set[int]:
    return removed_by(normalizers.Replace(Regex(pattern), ""))


def bert(**options):
    chosen = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    return normalizers.BertNormalizer(**{**chosen, **options})


def cut_alone(pre_tokenizer) -> set[int]:
    found = set()
    for start in range(0, len(CODES), 4096):
        text = "a" + "a".join(chr(code) for code in CODES[start : start + 4096]) + "a"
        pieces = (piece for piece, _ in pre_tokenizer.pre_tokenize_str(text))
        found.update(ord(piece) for piece in pieces if len(piece) == 1 and piece != "a")
    return found


def base36(number: int) -> str:
    digits = ""
    while number >= 36:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return "0123456789abcdefghijklmnopqrstuvwxyz"[number] + digits


def boundaries(codes: set[int]) -> str:
    """Where the set begins and ends, each as the distance from the one before."""
    edges, inside = [], False
    for code in range(0x110001):
        if (code in codes) != inside:
            edges.append(code)
            inside = not inside
    return ",".join(base36(edge - before) for edge, before in zip(edges, [0, *edges]))


def runs(categories: dict[int, str]) -> str:
    """How many code points in a row have a category. `Cn` stands for unassigned ones and surrogates."""
    out, start = [], 0
    for code in range(1, 0x110001):
        if code == 0x110000 or categories.get(code, "Cn") != categories.get(start, "Cn"):
            out.append(base36(code - start) + categories.get(start, "Cn"))
            start = code
    return "".join(out)


def inert_characters(assigned: set[int]) -> set[int]:
    """Characters that a newer Unicode decomposes, composes or reorders, and the library's old normalization does not.

    Characters that Oniguruma does not know are inert too; the reader of the table adds them.
    """
    inert = set()
    for form in ("NFD", "NFKD"):
        library = getattr(normalizers, form)()
        for code in CODES:
            by_unicode = NEWER[form].get(code, unicodedata.normalize(form, chr(code)))
            if library.normalize_str(chr(code)) != by_unicode:
                inert.add(code)
                if form == "NFD":
                    inert.update(map(ord, by_unicode))
    library = normalizers.NFD()
    for code in CODES:
        combining = code in NEWER_MARKS or unicodedata.combining(chr(code)) != 0
        if combining and library.normalize_str(f"a\u0345{chr(code)}") == f"a\u0345{chr(code)}":
            if library.normalize_str(f"a{chr(code)}\u0334") == f"a{chr(code)}\u0334":
                inert.add(code)
    # A mark of a decomposition, such as U+0307, is old and not inert.
    return {code for code in inert & assigned if code > 0x0370}


# What Unicode 15 and 16 added: this Python knows Unicode 14.
NEWER = dict(
    NFD={
        0x105C9: "\U000105d2\u0307", 0x105E4: "\U000105da\u0307",
        0x11383: "\U00011382\U000113c9", 0x11385: "\U00011384\U000113bb", 0x1138E: "\U0001138b\U000113c2",
        0x11391: "\U00011390\U000113c9", 0x113C5: "\U000113c2\U000113c2", 0x113C7: "\U000113c2\U000113b8",
        0x113C8: "\U000113c2\U000113c9", 0x16121: "\U0001611e\U0001611e", 0x16122: "\U0001611e\U00016129",
        0x16123: "\U0001611e\U0001611f", 0x16124: "\U00016129\U0001611f", 0x16125: "\U0001611e\U00016120",
        0x16126: "\U0001611e\U0001611e\U0001611f", 0x16127: "\U0001611e\U00016129\U0001611f",
        0x16128: "\U0001611e\U0001611e\U00016120", 0x16D68: "\U00016d67\U00016d67",
        0x16D69: "\U00016d63\U00016d67", 0x16D6A: "\U00016d63\U00016d67\U00016d67",
    },
    NFKD={code: "?" for code in [*range(0x1CCD6, 0x1CCFA), *range(0x1E030, 0x1E06E)]},
)
NEWER_MARKS = {
    0x897, 0xECE, *range(0x1ABF, 0x1AF0), *range(0x10D69, 0x10D6E), *range(0x10EFA, 0x10F00), 0x113CE, 0x113CF, 0x113D0,
    0x11F41, 0x11F42, 0x1612F, 0x1E08F, *range(0x1E4EC, 0x1E4F0), 0x1E5EE, 0x1E5EF,
}


def lines(name: str, comment: str, value: str) -> str:
    parts = textwrap.wrap(value, 92, break_on_hyphens=False) if " " in value else [
        value[at : at + 92] for at in range(0, len(value), 92)
    ]
    body = "\n".join(f'  "{part}",' for part in parts)
    return f'/** {comment} */\nexport const {name} = [\n{body}\n].join("");\n'


def main() -> None:
    categories = {code: name for name in CATEGORIES for code in in_class(r"\p{%s}" % name)}
    lower = normalizers.Lowercase()
    newest = {code: lower.normalize_str(chr(code)) for code in CODES if code not in categories}
    newest = {code: text for code, text in newest.items() if text != chr(code)}
    pairs = ",".join(f"{base36(code)}:{base36(ord(text))}" for code, text in newest.items())
    numbers = cut_alone(pre_tokenizers.Digits(individual_digits=True))
    table = "\n".join(
        [
            f"/**\n * Properties of characters, as tokenizers {tokenizers.__version__} answers. "
            "tests/golden/make_unicode_tables.py writes this file.\n */\n",
            lines("CATEGORY_RUNS", "Lengths in base 36 of the runs of general categories, in Unicode 16.", runs(categories)),
            lines("PUNCTUATION", "ASCII punctuation, and the punctuation of Unicode 7.", boundaries(cut_alone(pre_tokenizers.Punctuation()))),
            lines("CONTROLS", "Characters that BERT's cleaning removes.", boundaries(removed_by(bert(clean_text=True)) - SPACES | {0})),
            lines("ACCENTS", "Decomposed characters that BERT's stripping of accents removes.", boundaries(
                {code for code in removed_by(bert(strip_accents=True)) if normalizers.NFD().normalize_str(chr(code)) == chr(code)})),
            lines("COMBINING_MARKS", "Characters that the normalizer StripAccents removes.", boundaries(removed_by(normalizers.StripAccents()))),
            lines("NEWEST_NUMBERS", "Numbers of Rust's newer Unicode that the categories lack.", boundaries(
                {code for code in numbers if code not in categories})),
            lines("NEWEST_LOWER_CASE", "Pairs of code points of Rust's newer Unicode that the categories lack.", pairs),
            lines("INERT", "Characters that the old normalization neither decomposes, composes nor reorders.", boundaries(inert_characters(set(categories)))),
        ]
    )
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(table)


if __name__ == "__main__":
    main()
