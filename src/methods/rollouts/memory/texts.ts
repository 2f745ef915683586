/**
 * A memory of two texts: rules (how the world behaves) and a playbook (how to get things done). After an episode the
 * policy reads what happened and writes each of them anew; both are in every later prompt. Nothing else is kept.
 */
import type { Message, Rollout } from "../../../spec/index.ts";

export interface Texts {
  readonly rules: string;
  readonly playbook: string;
}

export const NO_TEXTS: Texts = { rules: "", playbook: "" };

const ASKED = {
  rules: "Write the rules of this world.",
  playbook: "Write how to get such tasks done.",
} as const;

export const TEXT_NAMES = ["rules", "playbook"] as const;
export type TextName = (typeof TEXT_NAMES)[number];

/** The prompt lines that they make. */
export function textSections(texts: Texts): string[] {
  return TEXT_NAMES.flatMap((name) => (texts[name] === "" ? [] : [`Your ${name}: ${texts[name]}`]));
}

/** What the policy is asked when a text is to be written anew. The episode is cut to `characters`. */
export function rewriteMessages(
  name: TextName,
  texts: Texts,
  rollout: Rollout,
  characters: number,
): readonly Message[] {
  const steps = rollout.turns
    .filter(({ part }) => part === undefined)
    .map(({ code, observation }) => `${code.trim()} > ${observation.trim()}`)
    .join("\n");
  const lines = [
    `Task: ${rollout.task.instruction}`,
    cut(steps, characters),
    rollout.evaluation?.passed ? "It worked." : "It failed.",
    ...textSections(texts),
    ASKED[name],
  ];
  return [{ role: "user", content: lines.join("\n") }];
}

/** By characters, never inside a surrogate pair. */
export function cut(text: string, characters: number): string {
  return Array.from(text).slice(0, characters).join("").trim();
}
