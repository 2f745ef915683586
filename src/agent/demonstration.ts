/**
 * A demonstration as an imitation row, encoded segment by segment exactly as a rollout appends them: a policy that
 * repeats the demonstration's code leaves the same ids and the same mask. A warm-started policy therefore continues
 * rows of the form that it was trained on, token boundaries included.
 */
import { BowlineError } from "../core/index.ts";
import type { Demonstration, Renderer, Scaffold } from "../spec/index.ts";

export interface ImitationRow {
  readonly ids: readonly number[];
  /** 1 on the tokens to imitate: code and the stop token after it. */
  readonly mask: readonly (0 | 1)[];
  /** False when a rollout of this scaffold could not be this long: too many turns, or tokens a turn or a row. */
  readonly fits: boolean;
}

/** Throws a config error when the scaffold's messages are more than code, so that code alone is not a message. */
export function encodeDemonstration(
  demonstration: Demonstration,
  scaffold: Scaffold,
  renderer: Renderer,
): ImitationRow {
  const { task, turns } = demonstration;
  const { maxTurns, maxTurnTokens, maxTokens } = scaffold.limits;
  const ids: number[] = [...renderer.start(scaffold.start(task))];
  const mask = new Array<0 | 1>(ids.length).fill(0);
  const append = (tokens: readonly number[], imitated: 0 | 1) => {
    ids.push(...tokens);
    for (let i = 0; i < tokens.length; i++) mask.push(imitated);
  };
  let fits = turns.length <= maxTurns;
  turns.forEach(({ code, result }, i) => {
    const turn = renderer.turn(messageForCode(code, scaffold));
    fits &&= turn.length <= maxTurnTokens;
    append(turn, 1);
    if (i === turns.length - 1) return;
    append(renderer.next(scaffold.observe(task, result, { turn: i + 1, maxTurns })), 0);
  });
  return { ids, mask, fits: fits && ids.length <= maxTokens };
}

function messageForCode(code: string, scaffold: Scaffold): string {
  const message = scaffold.messageOf?.(code) ?? code;
  if (scaffold.extractCode(message) === code) return message;
  const expected = `expected a scaffold whose messages are code, got ${scaffold.name}`;
  throw new BowlineError("config", `cannot encode a demonstration: ${expected}`);
}
