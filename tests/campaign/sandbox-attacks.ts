/**
 * Attacks on the sandbox: those of the table, and programs that are made of several of them. None leaves the sandbox or
 * harms another REPL, none needs the clock to be stopped, and the same program ends with the same bytes each time.
 */
import type { Worker } from "node:worker_threads";
import type { Rng } from "../../src/core/index.ts";
import {
  type AttackResult,
  runAttack,
  startAttackedSandbox,
  UNHARMED,
} from "../support/attacked-sandbox.ts";
import { ATTACKS } from "../support/sandbox-attacks.ts";
import type { CaseOutcome, Part, StepFilter } from "./part.ts";

const ATTACKS_PER_CASE = 4;
/** The sandbox stops every program by counting its work, so only a program that it cannot stop runs so long. */
const HANG_MS = 120_000;

interface DrawnAttack {
  readonly name: string;
  readonly code: string;
  /** How an attack of the table ends. */
  readonly ends?: string;
}

/** Ways to make one program of two. */
const COMPOSERS: readonly ((a: string, b: string) => string)[] = [
  (a, b) => `${a}\n;${b}`,
  (a, b) => `try { ${a}\n } catch (e) { ${b}\n }`,
  (a, b) => `try { ${a}\n } finally { ${b}\n }`,
  (a, b) => `for (let k = 0; k < 3; k++) { try { ${a}\n } catch {} }\n${b}`,
  (a, b) => `await Promise.allSettled([(async () => { ${a}\n })(), (async () => { ${b}\n })()]);`,
  (a, b) => `const later = { toString() { ${a}\n } }; ${b}\n; print(String(later));`,
];

function drawAttack(rng: Rng): DrawnAttack {
  const attack = rng.pick(ATTACKS);
  if (rng.chance(0.5)) return attack;
  const other = rng.pick(ATTACKS);
  return {
    name: `${attack.name} + ${other.name}`,
    code: rng.pick(COMPOSERS)(attack.code, other.code),
  };
}

/** Threads with sandboxes; one that hangs is replaced. */
class Sandboxes {
  #worker: Promise<Worker> | undefined;

  /** Runs an attack. Returns undefined, and ends the thread, when it hangs. */
  async attack(code: string): Promise<AttackResult | undefined> {
    this.#worker ??= startAttackedSandbox();
    const worker = await this.#worker;
    let timer: NodeJS.Timeout | undefined;
    const hung = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), HANG_MS);
    });
    const result = await Promise.race([runAttack(worker, code), hung]);
    clearTimeout(timer);
    if (result === undefined) await this.close();
    return result;
  }

  async close(): Promise<void> {
    const worker = await this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

function findProblem(
  drawn: DrawnAttack,
  result: AttackResult,
  again: AttackResult,
): string | undefined {
  const { result: cell, ...probes } = result;
  const ending = cell.limit ?? cell.status;
  if (JSON.stringify(probes) !== JSON.stringify(UNHARMED))
    return `it did harm: ${JSON.stringify(probes)}`;
  if (drawn.ends !== undefined && ending !== drawn.ends)
    return `it ended with ${ending}, not with ${drawn.ends}`;
  const [first, second] = [result, again].map((each) => JSON.stringify(each.result));
  return first === second
    ? undefined
    : `it ended differently: ${first!.slice(0, 200)} and ${second!.slice(0, 200)}`;
}

async function attackSandboxes(
  [one, other]: readonly [Sandboxes, Sandboxes],
  rng: Rng,
  steps: StepFilter,
): Promise<CaseOutcome> {
  const drawn = Array.from({ length: ATTACKS_PER_CASE }, () => drawAttack(rng));
  const counts: Record<string, number> = { attacks: 0 };
  const failures: string[] = [];
  for (const attack of steps.choose(drawn)) {
    const [result, again] = await Promise.all([one.attack(attack.code), other.attack(attack.code)]);
    const ending = result && again ? (result.result.limit ?? result.result.status) : "hung";
    for (const name of ["attacks", ending]) counts[name] = (counts[name] ?? 0) + 1;
    const problem =
      result && again ? findProblem(attack, result, again) : "it could not be stopped";
    if (problem) failures.push(`${attack.name}: ${problem}`);
  }
  return { counts, failures };
}

export const sandboxAttacks: Part = {
  name: "sandbox",
  summary: "attacks on the sandbox, each in two threads",
  weight: 1,
  caseLimitMs: 600_000,
  async open() {
    const sandboxes = [new Sandboxes(), new Sandboxes()] as const;
    return {
      runCase: (rng, steps) => attackSandboxes(sandboxes, rng, steps),
      close: async () => {
        for (const each of sandboxes) await each.close();
      },
    };
  },
};
