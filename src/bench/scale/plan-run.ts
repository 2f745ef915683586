/**
 * Computes what a run needs before it is started: tokens, requests, cores, memory, network, storage and money. The
 * inputs are sizes of the run, prices, and the costs that were measured. Nothing is opened and nothing is asked.
 *
 * A rollout of T turns has a prompt of P tokens. Each turn samples s tokens, and between two turns stands an observation
 * of o tokens, so a whole row has C = P + T s + (T - 1) o tokens. Turn k reads P + (k - 1)(s + o) tokens, of which only
 * the last o (in the first turn: all P) are new; the others were read or sampled before, and count as cached.
 */
import { BowlineError, formatValue } from "../../core/index.ts";
import { type CostName, MEASURED_COSTS } from "./measured-costs.ts";
import type { PublishedPrices } from "./published-prices.ts";

/** The sizes of a run. Tokens are those of one rollout unless the name says otherwise. */
export interface RunSizes {
  /** Rollouts of an iteration. */
  readonly rollouts: number;
  /** Rollouts that run at the same time. */
  readonly atOnce: number;
  readonly iterations: number;
  readonly turns: number;
  /** Tokens of a whole row: prompt, sampled tokens and observations. */
  readonly contextTokens: number;
  readonly promptTokens: number;
  readonly sampledTokensPerTurn: number;
  /** Seconds until a sample is answered. */
  readonly latencySeconds: number;
  /** Passes over the rollouts of an iteration. */
  readonly epochs: number;
  /** The share of rollouts that is trained on; the others have no advantage. */
  readonly keptShare: number;
  /** True if the learner computes the log-probs of every row once before it trains. */
  readonly evaluatesRows: boolean;
}

/** One number of a plan, with how it was computed. */
export interface PlanLine {
  /** The name of the number in JSON. */
  readonly name: string;
  /** The name for people. */
  readonly label: string;
  readonly value: number;
  readonly unit: string;
  readonly how: string;
}

/** The result of `bowline plan`. The field names are part of the JSON output. */
export interface RunPlan {
  readonly sizes: RunSizes;
  readonly prices: PublishedPrices | null;
  readonly lines: readonly PlanLine[];
  /** The measured numbers that the lines use. */
  readonly costs: typeof MEASURED_COSTS;
}

/** Tokens of one rollout, by the kinds that services price. */
export interface RolloutTokenCounts {
  readonly prefill: number;
  readonly cached: number;
  readonly sampled: number;
  readonly trained: number;
  /** All tokens that the requests of a rollout carry to the sampler. */
  readonly sent: number;
}

/** Characters in JSON, with the comma: of a token id below a million, and of a log-prob with 17 digits. */
const BYTES_PER_TOKEN_ID = 7;
const BYTES_PER_LOGPROB = 20;
/** A stored row has a mask and a log-prob of 0 for each token that was not sampled. */
const BYTES_BESIDE_ID = 4;
/** Messages and observations are stored as text, too. */
const BYTES_OF_TEXT_PER_TOKEN = 4;
const cost = (name: CostName): number => MEASURED_COSTS[name].value;

/** Throws a `config` error when the turns do not fit into the context. */
export function countRolloutTokens(sizes: RunSizes): RolloutTokenCounts {
  const { turns, contextTokens, promptTokens, sampledTokensPerTurn: s } = sizes;
  const room = contextTokens - promptTokens - turns * s;
  if (room < 0) {
    throw new BowlineError(
      "config",
      `a prompt of ${promptTokens} tokens and ${turns} turns of ${s} sampled tokens are ${-room} tokens more than the context of ${contextTokens}; give a larger --context, or fewer --turns, --prompt or --sampled`,
    );
  }
  const o = turns > 1 ? room / (turns - 1) : 0;
  const sent = turns * promptTokens + ((s + o) * turns * (turns - 1)) / 2;
  const read = promptTokens + (turns - 1) * o;
  const { epochs, keptShare, evaluatesRows } = sizes;
  return {
    prefill: read + (evaluatesRows ? contextTokens : 0),
    cached: sent - read,
    sampled: turns * s,
    trained: epochs * keptShare * contextTokens,
    sent,
  };
}

/** Plans a run. Throws a `config` error that names the size which is wrong. */
export function planRunCosts(sizes: RunSizes, prices: PublishedPrices | null): RunPlan {
  requireSizes(sizes);
  const tokens = countRolloutTokens(sizes);
  const requests = planRequests(sizes);
  const lines = [
    ...planTokens(sizes, tokens),
    ...requests.lines,
    ...planMachines(sizes, requests.perSecond),
    ...planBytes(sizes, tokens, requests.perSecond),
    ...(prices === null ? [] : planMoney(sizes, tokens, prices)),
  ];
  return { sizes, prices, lines, costs: MEASURED_COSTS };
}

function planTokens(sizes: RunSizes, tokens: RolloutTokenCounts): PlanLine[] {
  const { rollouts, turns, promptTokens, contextTokens, epochs, keptShare } = sizes;
  const line = (kind: "prefill" | "cached" | "sampled" | "trained", how: string): PlanLine => ({
    ...{ name: `tokens.${kind}`, label: `tokens ${kind}`, unit: "tokens an iteration" },
    ...{ value: rollouts * tokens[kind], how: `${show(rollouts)} rollouts x ${how}` },
  });
  const perTurn = `${show(sizes.sampledTokensPerTurn)} tokens a turn`;
  const evaluated = sizes.evaluatesRows
    ? ` + the row of ${show(contextTokens)} once for its log-probs`
    : "";
  const observed = contextTokens - promptTokens - tokens.sampled;
  return [
    line(
      "prefill",
      `(a prompt of ${show(promptTokens)} + observations of ${show(observed)}${evaluated})`,
    ),
    line(
      "cached",
      `(${show(tokens.sent)} in ${turns} requests that grow to ${show(contextTokens)}, less what was new)`,
    ),
    line("sampled", `${turns} turns x ${perTurn}`),
    line(
      "trained",
      `rows of ${show(contextTokens)} x ${epochs} epochs x ${keptShare} of the rollouts`,
    ),
  ];
}

function planRequests(sizes: RunSizes): { lines: PlanLine[]; perSecond: number } {
  const { rollouts, atOnce, turns, latencySeconds } = sizes;
  const turnSeconds = latencySeconds + cost("hostMsPerTurn") / 1000;
  const perSecond = Math.min(atOnce, rollouts) / turnSeconds;
  const samples = rollouts * turns;
  const lines: PlanLine[] = [
    {
      ...{ name: "requests.samples", label: "samples", unit: "requests an iteration" },
      ...{ value: samples, how: `${show(rollouts)} rollouts x ${turns} turns` },
    },
    {
      ...{ name: "requests.perSecond", label: "samples a second", unit: "requests a second" },
      value: perSecond,
      how: `${show(Math.min(atOnce, rollouts))} rollouts at once / (${latencySeconds} s a sample + ${cost("hostMsPerTurn")} ms in the world)`,
    },
    {
      ...{ name: "time.collect", label: "time to collect", unit: "s an iteration" },
      value: samples / perSecond,
      how: `${show(samples)} samples / ${show(perSecond)} a second, if model, world and controller keep up`,
    },
  ];
  return { lines, perSecond };
}

function planMachines({ rollouts, atOnce }: RunSizes, perSecond: number): PlanLine[] {
  const open = Math.min(atOnce, rollouts);
  const perSecondText = `${show(perSecond)} samples a second`;
  return [
    {
      ...{ name: "controller.cores", label: "controller cores", unit: "cores" },
      value: (perSecond * cost("remoteControllerMsPerTurn")) / 1000,
      how: `${perSecondText} x ${cost("remoteControllerMsPerTurn")} ms, with the world on hosts; with the world in the controller ${cost("controllerMsPerTurn")} ms, and no hosts`,
    },
    {
      ...{ name: "controller.memory", label: "controller memory", unit: "MB" },
      value: open * cost("remoteControllerMbPerRollout"),
      how: `${show(open)} rollouts at once x ${cost("remoteControllerMbPerRollout")} MB; with the world in the controller ${cost("controllerMbPerRollout")} MB`,
    },
    {
      ...{ name: "world.cores", label: "world cores", unit: "cores" },
      value: (perSecond * cost("hostMsPerTurn")) / 1000,
      how: `${perSecondText} x ${cost("hostMsPerTurn")} ms on the hosts`,
    },
    {
      ...{ name: "world.memory", label: "world memory", unit: "MB" },
      value: open * cost("worldMbPerEpisode"),
      how: `${show(open)} episodes at once x ${cost("worldMbPerEpisode")} MB; each host takes ${cost("hostBaseMb")} MB more`,
    },
  ];
}

function planBytes(
  sizes: RunSizes,
  { sent, sampled, trained }: RolloutTokenCounts,
  perSecond: number,
): PlanLine[] {
  const { rollouts, turns, contextTokens, promptTokens, iterations, evaluatesRows } = sizes;
  const id = BYTES_PER_TOKEN_ID;
  const pair = id + BYTES_PER_LOGPROB;
  const evaluated = evaluatesRows ? contextTokens : 0;
  const out = (sent + evaluated) * id + trained * pair;
  const stored =
    contextTokens * (id + BYTES_BESIDE_ID) +
    sampled * BYTES_PER_LOGPROB +
    (contextTokens - promptTokens) * BYTES_OF_TEXT_PER_TOKEN;
  return [
    {
      ...{ name: "network.out", label: "network to the model", unit: "bytes an iteration" },
      value: rollouts * out,
      how: `${show(rollouts * (sent + evaluated))} tokens in samples and rows to evaluate x ${id} bytes + ${show(rollouts * trained)} trained tokens x (${id} + ${BYTES_PER_LOGPROB})`,
    },
    {
      ...{ name: "network.in", label: "network from the model", unit: "bytes an iteration" },
      value: rollouts * sampled * pair,
      how: `${show(rollouts * sampled)} sampled tokens x (${id} bytes of an id + ${BYTES_PER_LOGPROB} of a log-prob)`,
    },
    {
      ...{ name: "network.peak", label: "network at the peak", unit: "bytes a second" },
      value: ((perSecond * sent) / turns) * id,
      how: `${show(perSecond)} samples a second x ${show(sent / turns)} tokens x ${id} bytes`,
    },
    {
      ...{ name: "storage.run", label: "storage", unit: "bytes a run" },
      value: iterations * rollouts * stored,
      how: `${iterations} iterations x ${show(rollouts)} rollouts x ${show(stored)} bytes: ${id + BYTES_BESIDE_ID} a token, ${BYTES_PER_LOGPROB} more a sampled one, and ${BYTES_OF_TEXT_PER_TOKEN} a token for the text after the prompt`,
    },
  ];
}

function planMoney(
  { rollouts, iterations }: RunSizes,
  tokens: RolloutTokenCounts,
  prices: PublishedPrices,
): PlanLine[] {
  const { prefillPrice, cachedPrice, samplePrice, trainPrice, currency } = prices;
  const kinds = [
    ["prefill", prefillPrice],
    ["cached", cachedPrice ?? prefillPrice],
    ["sampled", samplePrice],
    ["trained", trainPrice],
  ] as const;
  const parts = kinds.map(([kind, price]) => ({
    kind,
    price,
    value: (rollouts * tokens[kind] * price) / 1e6,
  }));
  const iteration = parts.reduce((sum, { value }) => sum + value, 0);
  const unit = `${currency} an iteration`;
  return [
    ...parts.map(({ kind, price, value }) => ({
      ...{ name: `money.${kind}`, label: `money for ${kind}`, unit, value },
      how: `${show(rollouts * tokens[kind])} tokens x ${price} a million`,
    })),
    {
      ...{ name: "money.iteration", label: "money an iteration", unit },
      ...{ value: iteration, how: "the four sums above; evaluations are not in them" },
    },
    {
      ...{ name: "money.run", label: "money for the run", unit: `${currency} a run` },
      value: iterations * iteration,
      how: `${iterations} iterations x ${show(iteration)}`,
    },
  ];
}

function requireSizes(sizes: RunSizes): void {
  const whole = [
    "rollouts",
    "atOnce",
    "iterations",
    "turns",
    "contextTokens",
    "promptTokens",
  ] as const;
  for (const name of whole) {
    if (Number.isInteger(sizes[name]) && sizes[name] >= 1) continue;
    throw refuse(name, "a whole number of at least 1", sizes[name]);
  }
  const positive = ["sampledTokensPerTurn", "latencySeconds"] as const;
  for (const name of positive) {
    if (Number.isFinite(sizes[name]) && sizes[name] > 0) continue;
    throw refuse(name, "a number above 0", sizes[name]);
  }
  const { keptShare } = sizes;
  if (!(keptShare >= 0 && keptShare <= 1))
    throw refuse("keptShare", "a share from 0 to 1", keptShare);
}

function refuse(name: string, expected: string, got: unknown): BowlineError {
  return new BowlineError("config", `${name}: expected ${expected}, got ${formatValue(got)}`);
}

/** Writes a number for a sentence: whole from 100 on, else with three digits. */
function show(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}
