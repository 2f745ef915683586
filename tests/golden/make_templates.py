"""Renders templates as transformers does: with Jinja2 in the environment of `apply_chat_template`.

Writes beside this script:
  template-constructs.json   the templates of template_constructs.py, each with its text or its error

    pip install torch transformers && python tests/golden/make_templates.py
"""

import datetime
import json
import pathlib
import unittest.mock

import jinja2
import transformers
from transformers.utils import chat_template_utils

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


def write(name: str, value: dict) -> None:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    (HERE / name).write_text(text.replace('{"template":', '\n{"template":') + "\n", encoding="utf-8")


def main() -> None:
    with unittest.mock.patch.object(chat_template_utils, "datetime", FixedTime):
        context = template_constructs.CONTEXT
        cases = [{"template": one, **render(one, context)} for one in template_constructs.CONSTRUCTS]
    write("template-constructs.json", {"made": MADE, "now": NOW, "context": context, "cases": cases})


main()
