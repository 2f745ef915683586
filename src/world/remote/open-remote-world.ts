/** Opens a remote world: asks every host what it serves, and refuses hosts that differ from each other or from the run. */
import { setTimeout as sleep } from "node:timers/promises";
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { OpenSelfOptions } from "../opened-world.ts";
import { requireHostAddresses } from "./host-addresses.ts";
import { HostClient, isAbsent } from "./host-client.ts";
import { HostPool } from "./host-pool.ts";
import { listAllTasks, RemoteWorld } from "./remote-world.ts";
import { describeDifferences, digestTaskList, type WorldFacts } from "./world-facts.ts";

/** The hosts of a remote world, and how long they are waited for. */
export interface RemoteWorldOptions {
  /** The addresses of `bowline serve --openenv`, such as `http://10.0.0.1:8129`. */
  readonly hosts: readonly string[];
  /** The key of the hosts, if they were started with one. */
  readonly key?: string | undefined;
  /** How long a host that is starting is waited for when the world is opened, in milliseconds. Default: 10,000. */
  readonly startMs?: number;
  /** How long a call may take before it is made on another host, in milliseconds. Default: 120,000. */
  readonly answerTimeoutMs?: number;
  /** The time between two health checks of a host, in milliseconds. Default: 5,000. */
  readonly healthMs?: number;
  /** How long an episode waits when no host can be used, in milliseconds. Default: 60,000. */
  readonly recoveryMs?: number;
  /** How long an episode waits for a free place before the one that rested longest moves, in ms. Default: 5,000. */
  readonly patienceMs?: number;
}

const DEFAULTS = {
  startMs: 10_000,
  answerTimeoutMs: 120_000,
  healthMs: 5_000,
  recoveryMs: 60_000,
  patienceMs: 5_000,
} as const;
const RETRY_MS = 250;

interface KnownHost {
  readonly client: HostClient;
  readonly facts: WorldFacts;
}

export async function openRemoteWorld(
  options: RemoteWorldOptions,
  asked: OpenSelfOptions,
): Promise<RemoteWorld> {
  const limits = { ...DEFAULTS, ...options };
  const clients = requireHostAddresses(options.hosts).map(
    (url) => new HostClient(url, options.key),
  );
  const hosts = await askAll(clients, limits.startMs, limits.answerTimeoutMs);
  const [first, ...others] = hosts as [KnownHost, ...KnownHost[]];
  for (const other of others) requireSameWorld(first, other);
  requireAskedWorld(first, asked);
  const tasks = await listAllTasks(first.client, first.facts, limits.answerTimeoutMs);
  for (const { name, digest } of first.facts.splits) {
    if (digestTaskList(tasks.get(name)!) === digest) continue;
    const why = `its tasks of ${name} are not those that it announced`;
    throw new BowlineError("world", `${first.client.url}: ${why}; start the host again`);
  }
  const { facts } = first;
  const pool = new HostPool(hosts, limits);
  return new RemoteWorld({ facts, pool, tasks, answerTimeoutMs: limits.answerTimeoutMs });
}

/** Asks all hosts what they serve. Every host that was named must answer, so a mistyped address is noticed. */
async function askAll(
  clients: readonly HostClient[],
  startMs: number,
  timeoutMs: number,
): Promise<readonly KnownHost[]> {
  const deadline = Date.now() + startMs;
  const asked = clients.map(async (client) => ({
    client,
    facts: await readFactsUntil(client, deadline, timeoutMs),
  }));
  const answers = await Promise.allSettled(asked);
  const failed = answers.flatMap((answer) => (answer.status === "rejected" ? answer.reason : []));
  if (failed.length === 0) return Promise.all(asked);
  const absent = failed.filter(isAbsent);
  const [wrong] = failed.filter((error) => !isAbsent(error));
  if (wrong !== undefined) throw wrong;
  const problems = absent.map(errorMessage).join("; ");
  throw new BowlineError(
    "world",
    `world.name: ${absent.length} of ${clients.length} hosts cannot be reached: ${problems}; start each of them by bowline serve --openenv WORLD --host 0.0.0.0 --port PORT, or leave it out`,
  );
}

async function readFactsUntil(
  client: HostClient,
  deadline: number,
  timeoutMs: number,
): Promise<WorldFacts> {
  for (;;) {
    try {
      return await client.readFacts(timeoutMs);
    } catch (error) {
      if (!isAbsent(error) || Date.now() >= deadline) throw error;
      await sleep(RETRY_MS);
    }
  }
}

function requireSameWorld(first: KnownHost, other: KnownHost): void {
  const differences = describeDifferences(first.facts, other.facts);
  if (differences.length === 0) return;
  throw new BowlineError(
    "world",
    `world.name: the hosts serve different worlds: ${other.client.url} ("there") differs from ${first.client.url} ("here") in ${differences.join(", ")}; start all hosts with the same version, world, --seed, --splits, --scenarios and dials`,
  );
}

function requireAskedWorld({ client, facts }: KnownHost, { seed, dials }: OpenSelfOptions): void {
  const asked = { ...facts, seed, dials };
  const differences = describeDifferences(asked, facts);
  if (differences.length === 0) return;
  throw new BowlineError(
    "config",
    `world.name: ${client.url} serves ${facts.name} with another ${differences.join(", ")}; start the hosts with the seed and the dials of the run, or set world.seed and world.dials to theirs`,
  );
}
