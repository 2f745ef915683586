/**
 * The prompt of the react scaffold, in the structure of the paper's prompt (arXiv 2502.01600, appendices D and G): a
 * line on who the agent is, how to look things up, one example task with its solution, rules, and then the agent's own
 * task.
 *
 * The words are our own, written for JavaScript and for the worlds of this kit. In these worlds, `docs` lists the apps
 * and APIs, and `me` says for whom the agent works.
 */
import type { Message } from "../spec/index.ts";

/** A solved task: the messages of the agent and what the console printed after each. */
export interface WorkedExample {
  readonly instruction: string;
  /** The turns in order. The observation of the last turn is not shown, because that turn finishes the task. */
  readonly turns: readonly { readonly message: string; readonly observation: string }[];
}

export const SYSTEM =
  "You work for one person. You do what they ask in the apps they use, by writing JavaScript that calls the APIs of these apps.";

const INTRODUCTION = `I am your connection to a JavaScript console. Write one block of code between \`\`\`js and \`\`\`; I run it there and answer with what it printed. Then you write the next block, until the task is done. Variables stay from block to block.

Apps are called as \`apis.<app>.<api>({ ... })\`. You need not know any of them beforehand: the app \`docs\` describes all, itself included.

\`\`\`js
// all apps
print(apis.docs.listApps({}));
// the APIs of one app
print(apis.docs.listApis({ app: "me" }));
// how an API is called and what it returns
print(apis.docs.showApi({ app: "me", api: "finishTask" }));
\`\`\`

This is how a task gets done. Here is one that was asked of somebody else.`;

const RULES = `That task is done. Now comes another person with another task. For it, keep to these rules.

1. Write exactly one block of code in a message, between \`\`\`js and \`\`\`, and stop behind it. A thought before the block may be short.
2. Whatever was printed above belongs to the other person: names, passwords and ids from there are worth nothing here. \`apis.me\` knows whom you work for now and has their passwords.
3. Look an API up in \`docs\` before you call it for the first time, and take parameters and fields only from there.
4. Go in small steps. Print what you need to see, look at it, and then go on.
5. Never make a value up and never assume one: no placeholders. What you do not know is to be found in some app.
6. Lists come in pages. Ask for the next page while \`more\` is true; the first page is rarely all there is.
7. Variables of earlier blocks are still there. Do not repeat what you have already done; above all, do not send or pay twice.
8. Change only what the task asks you to change.
9. When all is done, call \`apis.me.finishTask({})\`, with \`answer\` where the task asks a question: the bare value, without a sentence around it. If the task cannot be done, say so with \`status: "impossible"\`. Nothing runs after that call.`;

/**
 * Returns the messages before the first turn: one of the system, then user and assistant alternate, ending with the
 * user.
 */
export function openingMessages(instruction: string, example: WorkedExample): Message[] {
  const { turns } = example;
  const shown = turns.flatMap(({ message, observation }, i): Message[] => {
    const answer: Message = { role: "assistant", content: message };
    const isLast = i === turns.length - 1;
    return isLast ? [answer] : [answer, observationMessage(observation, example.instruction)];
  });
  return [
    { role: "system", content: SYSTEM },
    { role: "user", content: `${INTRODUCTION}\n\n${formatTaskLine(example.instruction)}` },
    ...shown,
    { role: "user", content: `${RULES}\n\n${formatTaskLine(instruction)}` },
  ];
}

/** Returns the observation message: what the console printed, then the task again as a reminder (appendix D). */
export function observationMessage(text: string, instruction: string): Message {
  return {
    role: "environment",
    content: `It printed:\n\n${text}\n\nAs a reminder: ${instruction}`,
  };
}

const formatTaskLine = (instruction: string) => `The task: ${instruction}`;
