/**
 * A memory of two texts: rules (how the world behaves) and a playbook (how to get things done). After an episode the
 * policy reads what happened and rewrites both texts. Every later prompt contains them. Nothing else is remembered.
 */
import type { Message, Rollout } from "../../../spec/index.ts";

/** The two remembered texts. */
export interface MemoryTexts {
  readonly rules: string;
  readonly playbook: string;
}

export const NO_TEXTS: MemoryTexts = { rules: "", playbook: "" };

const REWRITE_INSTRUCTIONS = {
  rules: "Write the rules of this world.",
  playbook: "Write how to get such tasks done.",
} as const;

export const TEXT_NAMES = ["rules", "playbook"] as const;
export type TextName = (typeof TEXT_NAMES)[number];

/** Returns the prompt lines of the texts that are not empty. */
export function textPromptLines(texts: MemoryTexts): string[] {
  return TEXT_NAMES.flatMap((name) => (texts[name] === "" ? [] : [`Your ${name}: ${texts[name]}`]));
}

/** Composes the prompt that asks the policy to rewrite a text. The episode in it is cut to `characters` characters. */
export function composeRewritePrompt(
  name: TextName,
  texts: MemoryTexts,
  rollout: Rollout,
  characters: number,
): readonly Message[] {
  const steps = rollout.turns
    .filter(({ part }) => part === undefined)
    .map(({ code, observation }) => `${code.trim()} > ${observation.trim()}`)
    .join("\n");
  const lines = [
    `Task: ${rollout.task.instruction}`,
    cutText(steps, characters),
    rollout.evaluation?.passed ? "It worked." : "It failed.",
    ...textPromptLines(texts),
    REWRITE_INSTRUCTIONS[name],
  ];
  return [{ role: "user", content: lines.join("\n") }];
}

/** Cuts a text to a number of characters, never inside a surrogate pair. */
export function cutText(text: string, characters: number): string {
  return Array.from(text).slice(0, characters).join("").trim();
}
