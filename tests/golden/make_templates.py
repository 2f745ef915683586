"""Renders templates as transformers does: with Jinja2 in the environment of `apply_chat_template`.

Writes beside this script:
  template-constructs.json   the templates of template_constructs.py, each with its text or its error
  template-chats.json        the conversations of template_chats.py under the templates of family_templates.py; long
                             texts as the first 16 hexadecimal digits of their SHA-256

    pip install torch transformers && python tests/golden/make_templates.py
    python tests/golden/make_templates.py --published FOLDER --out FILE

The second form records the conversations of template_chats.py under the templates FOLDER/*.jinja, which are not stored
here. `BOWLINE_CHAT_CASES=FILE npx vitest run src/text/model-directory` then compares.
"""

import argparse
import datetime
import hashlib
import json
import pathlib
import unittest.mock

import jinja2
import transformers
from transformers.utils import chat_template_utils

import family_templates
import template_chats
import template_constructs

HERE = pathlib.Path(__file__).parent
NOW = "2025-03-07T09:05:03"
MADE = f"transformers {transformers.__version__}, Jinja2 {jinja2.__version__}"


class FixedTime(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromisoformat(NOW)


def render(template: str, variables: dict) -> dict:
    """The text of a template, or the class of the error."""
    try:
        compiled = chat_template_utils._compile_jinja_template(template)
        return {"text": compiled.render(**variables)}
    except jinja2.exceptions.TemplateSyntaxError:
        return {"error": "TemplateSyntaxError"}
    except Exception as error:
        raised = type(error) is jinja2.exceptions.TemplateError
        return {"error": type(error).__name__, **({"message": str(error)} if raised else {})}


def render_chat(template: str, messages: list, tools, variables: dict) -> dict:
    """The text of a conversation as `apply_chat_template` of a tokenizer writes it, or the error."""
    try:
        chat = chat_template_utils._normalize_chat_messages(messages)
        given = {**template_chats.SPECIAL, **variables}
        (text,), _ = chat_template_utils.render_jinja_template([chat], tools=tools, chat_template=template, **given)
        return {"text": text}
    except Exception as error:
        raised = type(error) is jinja2.exceptions.TemplateError
        return {"error": str(error) if raised else ""}


def chat_cases(template: str) -> list[dict]:
    cases = []
    seen = set()
    for label, messages in template_chats.CHATS.items():
        # Some templates cannot write the schemas of the first tool.
        for tools in (None, template_chats.TOOLS, template_chats.TOOLS[1:]):
            for more in template_chats.VARIANTS:
                got = render_chat(template, messages, tools, more)
                # A variation that the template does not know changes nothing: once is enough.
                key = (label, len(tools or []), json.dumps(got))
                if key not in seen:
                    cases.append({"label": label, "tools": len(tools or []), "more": more, **got})
                seen.add(key)
    return cases


def record_published(folder: pathlib.Path, out: pathlib.Path) -> None:
    paths = sorted(folder.glob("*.jinja"))
    templates = {path.stem: {"template": path.read_text(encoding="utf-8")} for path in paths}
    for name, one in templates.items():
        one.update(special=template_chats.SPECIAL, cases=chat_cases(one["template"]))
        print(name, len(one["cases"]), sum("text" in case for case in one["cases"]))
    value = {"now": NOW, "tools": template_chats.TOOLS, "chats": template_chats.CHATS, "templates": templates}
    out.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def record_families() -> dict:
    templates = {}
    for name, template in family_templates.FAMILIES.items():
        cases = chat_cases(template)
        for i, case in enumerate(cases):
            if "text" in case and i % 20:
                case["hash"] = hashlib.sha256(case.pop("text").encode()).hexdigest()[:16]
        templates[name] = {"template": template, "special": template_chats.SPECIAL, "cases": cases}
    chats = {"tools": template_chats.TOOLS, "chats": template_chats.CHATS}
    return {"made": MADE, "now": NOW, **chats, "templates": templates}


def write(name: str, value: dict) -> None:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    (HERE / name).write_text(text.replace('{"template":', '\n{"template":').replace('{"label":', '\n{"label":') + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--published", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    if options.published:
        with unittest.mock.patch.object(chat_template_utils, "datetime", FixedTime):
            record_published(options.published, options.out)
        return
    with unittest.mock.patch.object(chat_template_utils, "datetime", FixedTime):
        context = template_constructs.CONTEXT
        cases = [{"template": one, **render(one, context)} for one in template_constructs.CONSTRUCTS]
        families = record_families()
    write("template-chats.json", families)
    write("template-constructs.json", {"made": MADE, "now": NOW, "context": context, "cases": cases})


main()
