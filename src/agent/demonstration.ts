/**
 * Encodes a demonstration as a row for imitation learning, segment by segment, exactly as a rollout appends them. A
 * policy that repeats the demonstration's code produces the same ids and the same mask. So a warm-started policy
 * continues rows of the form on which it was trained, including the token boundaries.
 */
import { BowlineError } from "../core/index.ts";
import type { Demonstration, Renderer, Scaffold } from "../spec/index.ts";

export interface ImitationRow {
  readonly ids: readonly number[];
  /** The mask is 1 on the tokens to imitate: code and the stop token after it. */
  readonly mask: readonly (0 | 1)[];
  /**
   * This is false when the row exceeds the scaffold's limits: too many turns, or too many tokens in a turn or in the
   * row.
   */
  readonly fits: boolean;
}

/** Encodes a demonstration as one row. Throws a `config` error when the scaffold cannot turn code into a message. */
export function encodeDemonstration(
  demonstration: Demonstration,
  scaffold: Scaffold,
  renderer: Renderer,
): ImitationRow {
  const { task, turns } = demonstration;
  const { maxTurns, maxTurnTokens, maxTokens } = scaffold.limits;
  const ids: number[] = [...renderer.start(scaffold.start(task))];
  const mask = new Array<0 | 1>(ids.length).fill(0);
  const appendTokens = (tokens: readonly number[], imitated: 0 | 1) => {
    ids.push(...tokens);
    for (let i = 0; i < tokens.length; i++) mask.push(imitated);
  };
  let fits = turns.length <= maxTurns;
  turns.forEach(({ code, result }, i) => {
    const turn = renderer.turn(messageForCode(code, scaffold));
    fits &&= turn.length <= maxTurnTokens;
    appendTokens(turn, 1);
    if (i === turns.length - 1) return;
    appendTokens(renderer.next(scaffold.observe(task, result, { turn: i + 1, maxTurns })), 0);
  });
  return { ids, mask, fits: fits && ids.length <= maxTokens };
}

function messageForCode(code: string, scaffold: Scaffold): string {
  const message = scaffold.messageOf?.(code) ?? code;
  if (scaffold.extractCode(message) === code) return message;
  const expected = `expected a scaffold whose messages are code, got ${scaffold.name}`;
  throw new BowlineError("config", `cannot encode a demonstration: ${expected}`);
}
