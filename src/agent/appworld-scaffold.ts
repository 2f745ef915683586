/**
 * The scaffold of AppWorld: the structure of the paper's prompt (arXiv 2502.01600, appendices D and G) in our own words,
 * for Python. A message holds a thought and fenced Python, and the task is repeated after every observation.
 */
import type { Message, Scaffold, Tokenizer } from "../spec/index.ts";
import { extractReactCode } from "./react-code.ts";
import { cutToTokens, REACT_LIMITS, type ReactLimits } from "./react-scaffold.ts";
import { requireValidLimits } from "./require-valid-limits.ts";

const SYSTEM =
  "You act for one person in the apps that this person uses. You act by writing Python that calls the APIs of these apps.";

const INTRODUCTION = `I run your Python in a console that stays open, and answer with what it printed. Write one block of code between \`\`\`python and \`\`\` in each message. Variables and imports stay from block to block. Only what you print comes back: the value of the last line does not.

An API is called as \`apis.<app>.<api>(name=value, ...)\`. You know none of them beforehand. The app \`api_docs\` describes all:

\`\`\`python
# the apps
print(apis.api_docs.show_app_descriptions())
# the APIs of one app
print(apis.api_docs.show_api_descriptions(app_name='supervisor'))
# the parameters of one API, and what it returns
print(apis.api_docs.show_api_doc(app_name='supervisor', api_name='show_account_passwords'))
\`\`\`

The app \`supervisor\` knows whom you work for: their profile, addresses, payment cards and the passwords of their accounts. Here is a task of somebody else, to show the form.

The task: I am Joan Bell. How many apps can you use for me?`;

const EXAMPLE: readonly Message[] = [
  {
    role: "assistant",
    content:
      "I count what api_docs lists.\n```python\nprint(len(apis.api_docs.show_app_descriptions()))\n```",
  },
  {
    role: "environment",
    content:
      "It printed:\n\n11\n\nAs a reminder: I am Joan Bell. How many apps can you use for me?",
  },
  {
    role: "assistant",
    content: "That is the answer.\n```python\napis.supervisor.complete_task(answer=11)\n```",
  },
];

const RULES = `That task is done. Now comes another person with another task. For it, keep to these rules.

1. Write exactly one block of Python in a message and end the message after it. A short thought may come before the block.
2. Everything printed above belongs to the other person. Ask \`supervisor\` whom you work for now, and for their passwords.
3. Read the documentation of an API before its first call. Take names of parameters and fields from there, never from memory.
4. Most apps want a login. It takes the user name that its documentation asks for and the password from \`supervisor\`, and returns an access token that the other calls of this app take.
5. Take small steps: print what you need, read it, then write the next block.
6. Make nothing up. Names, numbers and ids that you do not know stand in some app.
7. Lists come in pages. Go through all pages with the page parameters; one page is rarely everything.
8. Times are those of the console's own clock, which you can ask by \`datetime.now()\`. For a span of time take its exact start and end.
9. Do not do anything twice that changes data, and change only what the task asks for.
10. Words such as friends, family or roommates mean people as the phone's contacts relate them, and not only those of one app.
11. When all is done, call \`apis.supervisor.complete_task()\`, with \`answer=\` and the bare value where the task asks a question. If the task cannot be done, call it with \`status='fail'\`. Nothing runs after it.`;

/** The names of Python after the opening fence. A fence without a name holds Python, too. */
const PYTHON_NAMES = new Set(["", "python", "py", "python3"]);
const isPythonFence = (language: string) => PYTHON_NAMES.has(language.toLowerCase());

/**
 * Creates the scaffold of AppWorld. The default limits are the paper's. Without a tokenizer, observations are cut by
 * characters, which is enough for display.
 */
export function appworldScaffold(
  limits: Partial<ReactLimits> = {},
  tokenizer?: Pick<Tokenizer, "encode" | "decode">,
): Scaffold {
  const { maxObservationTokens, ...rest } = { ...REACT_LIMITS, ...limits };
  requireValidLimits({ ...rest, maxObservationTokens });
  const { maxTurns, maxTurnTokens, maxTokens } = rest;
  return {
    name: "appworld",
    limits: { maxTurns, maxTurnTokens, maxTokens },
    start: ({ instruction }) => [
      { role: "system", content: SYSTEM },
      { role: "user", content: INTRODUCTION },
      ...EXAMPLE,
      { role: "user", content: `${RULES}\n\nThe task: ${instruction}` },
    ],
    observe: ({ instruction }, { text }) => ({
      role: "environment",
      content: `It printed:\n\n${cutToTokens(text, maxObservationTokens, tokenizer)}\n\nAs a reminder: ${instruction}`,
    }),
    extractCode: (message) => extractReactCode(message, isPythonFence),
    messageOf: (code) => `\`\`\`python\n${code}\n\`\`\``,
  };
}
