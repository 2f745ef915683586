"""The conversations under which make_templates.py renders chat templates."""

import hf_templates
from hf_templates import TOOLS, assistant, call, user


def system(content) -> dict:
    return {"role": "system", "content": content}


def result(content, call_id="call00001", name="search_songs") -> dict:
    return {"role": "tool", "name": name, "tool_call_id": call_id, "content": content}


def named(call_id: str, name: str, arguments) -> dict:
    return {"id": call_id, **call(name, arguments)}


QUESTION = user("Which songs are new? 新しい曲 🎵")
EXACT = {
    "id": 12345678901234567890,
    "share": 1.0,
    "huge": 1e22,
    "small": 1e-7,
    "10": [True, None, []],
    "2": {"naïve": "\"q\" \\ \n\t\u2028 </tool_call> <&>'"},
    "__proto__": {},
}
CHATS = {
    **hf_templates.CHATS,
    "null content": [
        QUESTION,
        assistant(None, tool_calls=[named("call00001", "search_songs", {"query": "new", "limit": 3})]),
        result("[]"),
        assistant("None."),
    ],
    "exact arguments": [
        QUESTION,
        assistant("", tool_calls=[named("call00001", "search_songs", EXACT)]),
        result("found"),
        user("And?"),
    ],
    "several results": [
        system("You play."),
        QUESTION,
        assistant(
            None,
            tool_calls=[
                named("call00001", "search_songs", {"query": "a"}),
                named("call00002", "pay", {}),
                named("call00003", "search_songs", {"query": "é"}),
            ],
        ),
        result('{"items": [1, 2.5]}'),
        result("paid", "call00002", "pay"),
        result("  spaces  \n", "call00003"),
        assistant("Both done.", reasoning_content="Three results.\n"),
        user("Thanks"),
    ],
    "developer": [{"role": "developer", "content": "Be brief."}, QUESTION, assistant("Yes."), user("Which?")],
    "system in the middle": [QUESTION, assistant("Some."), system("Now be formal."), user("Again?")],
    "two systems": [system("One."), system("Two."), QUESTION],
    "empty lists": [QUESTION, assistant("", tool_calls=[]), user(""), assistant("")],
    "parts": [
        system([{"type": "text", "text": "You play."}]),
        user([{"type": "text", "text": "One "}, {"type": "text", "text": "two"}]),
        assistant([{"type": "text", "text": "Three"}]),
        user([]),
    ],
    "thought before calls": [
        QUESTION,
        assistant("Look:", reasoning_content="First search.", tool_calls=[named("call00001", "search_songs", {"query": "x"})]),
        result("[7]"),
        assistant("<think>\nSeven.\n</think>\n\nIt is 7.", thinking="Seven"),
        user("Sure?"),
        assistant("Yes", reasoning_content=""),
    ],
    "two questions": [user("One"), user("Two")],
    "ends with an answer": [system("S"), QUESTION, assistant("A")],
    "odd texts": [
        system("{{ 1 }} {% if %} </s> [INST]"),
        user("<|im_end|> \\n \\u00e9 %s {} \r\n\x0b"),
        assistant("a</think>b<think>c"),
        user("\u00a0\u3000x\ufeff"),
    ],
    "string results as json": [
        QUESTION,
        assistant(None, tool_calls=[named("call00001", "pay", {"cents": 5, "to": ["Zoë"], "deep": {"a": {"b": [1, {"c": None}]}}})]),
        result('{"ok": true}', name="pay"),
        result('{"second": "result"}', name="pay"),
    ],
}
VARIANTS = [
    {},
    {"add_generation_prompt": True},
    {"add_generation_prompt": True, "enable_thinking": False, "thinking": True, "reasoning_effort": "high"},
    {"date_string": "26 Jul 2024", "tools_in_user_message": False, "tools_in_question": False},
    {"builtin_tools": ["browser", "python", "pay"], "documents_mode": "x", "model_identity": "You are M."},
]
SPECIAL = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
__all__ = ["CHATS", "SPECIAL", "TOOLS", "VARIANTS"]
