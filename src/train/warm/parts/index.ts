/**
 * Encodes demonstrations of what a policy writes or reads besides code, such as a plan or a note. A share of the warm
 * start's demonstrations shows one of the parts in `part-rollouts.ts`; the others are not changed. Which part
 * demonstration i shows depends only on the seed and i.
 */
import type { ImitationRow } from "../../../agent/index.ts";
import { WRITING_REQUESTS } from "../../../agent/index.ts";
import { Rng, randomStreamId } from "../../../core/index.ts";
import type { Demonstration } from "../../../spec/index.ts";
import type { Config } from "../../config/config.ts";
import type { WarmPart } from "../../config/warm-parts.ts";
import type { Agent } from "../../parts/agent.ts";
import { encodePartDemonstration } from "./part-rollouts.ts";
import {
  REWRITTEN_TEXTS,
  writeNote,
  writePlan,
  writeState,
  writeUserAnswer,
} from "./part-texts.ts";

export { WARM_PARTS, type WarmPart } from "../../config/warm-parts.ts";

type PartsConfig = Pick<Config, "run" | "warm">;

/** The share of the demonstrations that show a part. */
const SHARE_WITH_PART = 0.6;

function choosePart(
  index: number,
  { run, warm }: PartsConfig,
): { part: WarmPart | undefined; rng: Rng } {
  const rng = new Rng(randomStreamId(run.seed, "warm-part", index));
  const shows = warm.parts.length > 0 && rng.chance(SHARE_WITH_PART);
  return { part: shows ? rng.pick(warm.parts) : undefined, rng };
}

/**
 * Encodes demonstration `index` together with its part. Returns undefined if it shows no part, or if it would be too
 * long for the scaffold with the part.
 */
export async function encodePartRows(
  demonstrations: readonly Demonstration[],
  index: number,
  agent: Agent,
  config: PartsConfig,
): Promise<ImitationRow[] | undefined> {
  const { part, rng } = choosePart(index, config);
  const demonstration = demonstrations[index]!;
  if (part === undefined) return undefined;
  const other = drawSimilarDemonstration(demonstrations, demonstration, rng);
  const rows = await encodePartDemonstration(part, demonstration, {
    ...agent,
    rng,
    other,
    parts: config.warm.parts,
  });
  return rows.length > 0 ? rows : undefined;
}

/** Draws other demonstrations, at most 13, until one has a task with the same signature. */
function drawSimilarDemonstration(
  all: readonly Demonstration[],
  { task }: Demonstration,
  rng: Rng,
): Demonstration {
  let other = rng.pick(all);
  for (let i = 0; i < 12 && other.task.signature !== task.signature; i++) other = rng.pick(all);
  return other;
}

/** Yields the requests and texts of the parts. The tokenizer is trained on them. */
export function* tokenizerTextsOfParts(
  demonstrations: readonly Demonstration[],
  config: PartsConfig,
): Generator<string> {
  for (const [index, demonstration] of demonstrations.entries()) {
    if (choosePart(index, config).part === undefined) continue;
    yield Object.values(WRITING_REQUESTS).join("\n");
    yield `So far: ${writeState(demonstration, demonstration.turns.length)}\nYou remember: Known: From before:`;
    yield `Plan: ${writePlan(demonstration, 0)}\nYou ran: It printed: ${writeUserAnswer(demonstration, 0)}`;
    yield `${writeNote(demonstration)}\nYour rules: ${REWRITTEN_TEXTS.rules(demonstration)}\nYour playbook: ${REWRITTEN_TEXTS.playbook(demonstration)}`;
  }
}
