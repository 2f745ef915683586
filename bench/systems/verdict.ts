/**
 * The verdict on a row of the systems table: whether its mechanisms do something that the same mechanisms, still on but
 * without meaning, do not do.
 */
import { z } from "zod";
import type { ProbedRow } from "./counterfactual/probe-row.ts";
import type { System } from "./system.ts";

/** The least relative difference between a mechanism that is on and the same mechanism on but dead. */
export const MIN_DIFFERENCE = 0.01;
/** How many times the difference of a repeated run that difference must be. */
export const TIMES_REPEATED = 10;

const difference = z.number();

export const verdictSchema = z.strictObject({
  system: z.string(),
  works: z.boolean(),
  /** How many of the three iterations had an optimizer update. */
  updates: z.number().int(),
  /** Share of rollouts that ended at a limit of turns or tokens. */
  atLimit: z.number(),
  /**
   * Relative differences over the three iterations, by mechanism: on against off, dead against off, on against dead, and
   * on against a repeated run.
   */
  mechanisms: z.record(
    z.string(),
    z.strictObject({
      compares: z.enum(["gradients", "rollouts", "tasks"]),
      onOff: difference,
      deadOff: difference,
      onDead: difference,
      repeated: difference,
    }),
  ),
  /** Why the row could not be run. */
  problem: z.string().optional(),
});

export const verdictsSchema = z.array(verdictSchema);
export type Verdict = Readonly<z.infer<typeof verdictSchema>>;
export type MechanismVerdict = Verdict["mechanisms"][string];

/** Returns whether a mechanism differs from the same mechanism on but dead. */
export function isAlive({ onDead, repeated }: Pick<MechanismVerdict, "onDead" | "repeated">) {
  return onDead >= MIN_DIFFERENCE && onDead >= TIMES_REPEATED * repeated;
}

/** Computes the verdict on a row: it works when it updates its weights and each of its mechanisms is alive. */
export function computeVerdict({ system, mechanisms }: System, probed: ProbedRow): Verdict {
  const found = mechanisms.map(
    (name) => [name, roundDifferences(probed.mechanisms[name]!)] as const,
  );
  return {
    system,
    works: probed.updates > 0 && found.every(([, one]) => isAlive(one)),
    updates: probed.updates,
    atLimit: round(probed.atLimit),
    mechanisms: Object.fromEntries(found),
  };
}

function roundDifferences(one: MechanismVerdict): MechanismVerdict {
  const { compares, onOff, deadOff, onDead, repeated } = one;
  return {
    compares,
    onOff: round(onOff),
    deadOff: round(deadOff),
    onDead: round(onDead),
    repeated: round(repeated),
  };
}

const round = (value: number) => Math.round(value * 1e5) / 1e5;
