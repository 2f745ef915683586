/**
 * Encodes a demonstration as a row for imitation learning, segment by segment, exactly as a rollout appends them. A
 * policy that repeats the demonstration's code produces the same ids and the same mask. So a warm-started policy
 * continues rows of the form on which it was trained, including the token boundaries.
 */
import { BowlineError } from "../core/index.ts";
import type { Demonstration, Renderer, RolloutLimits, Scaffold } from "../spec/index.ts";

export interface ImitationRow {
  readonly ids: readonly number[];
  /** The mask is 1 on the tokens to imitate: code and the stop token after it. */
  readonly mask: readonly (0 | 1)[];
  /**
   * This is false when the row exceeds the scaffold's limits: too many turns, or too many tokens in a turn or in the
   * row.
   */
  readonly fits: boolean;
  /** The weight of the row in the loss; 1 by default. */
  readonly weight?: number;
}

/** The lengths of an encoded demonstration that the limits of a rollout bound. */
export interface RowLength {
  /** The number of turns. */
  readonly turns: number;
  /** The number of tokens in the longest turn, with its stop token. */
  readonly longestTurn: number;
  /** The number of tokens in the row. */
  readonly tokens: number;
}

/** Returns true if a row of this length is within the limits of a rollout. */
export function isWithinLimits(
  { turns, longestTurn, tokens }: RowLength,
  { maxTurns, maxTurnTokens, maxTokens }: RolloutLimits,
): boolean {
  return turns <= maxTurns && longestTurn <= maxTurnTokens && tokens <= maxTokens;
}

/** Encodes a demonstration as one row. Throws a `config` error when the scaffold cannot turn code into a message. */
export function encodeDemonstration(
  demonstration: Demonstration,
  scaffold: Scaffold,
  renderer: Renderer,
): ImitationRow & { readonly length: RowLength } {
  const { task, turns } = demonstration;
  const { maxTurns } = scaffold.limits;
  const ids: number[] = [...renderer.start(scaffold.start(task))];
  const mask = new Array<0 | 1>(ids.length).fill(0);
  const appendTokens = (tokens: readonly number[], imitated: 0 | 1) => {
    ids.push(...tokens);
    for (let i = 0; i < tokens.length; i++) mask.push(imitated);
  };
  let longestTurn = 0;
  turns.forEach(({ code, result }, i) => {
    const turn = renderer.turn(messageForCode(code, scaffold));
    longestTurn = Math.max(longestTurn, turn.length);
    appendTokens(turn, 1);
    if (i === turns.length - 1) return;
    appendTokens(renderer.next(scaffold.observe(task, result, { turn: i + 1, maxTurns })), 0);
  });
  const length = { turns: turns.length, longestTurn, tokens: ids.length };
  return { ids, mask, fits: isWithinLimits(length, scaffold.limits), length };
}

function messageForCode(code: string, scaffold: Scaffold): string {
  const message = scaffold.messageOf?.(code) ?? code;
  if (scaffold.extractCode(message) === code) return message;
  const expected = `expected a scaffold whose messages are code, got ${scaffold.name}`;
  throw new BowlineError("config", `cannot encode a demonstration: ${expected}`);
}
