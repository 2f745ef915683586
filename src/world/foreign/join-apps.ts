/**
 * Joins the apps of several adapters into one, so that a world knows a single connection for each episode. The adapters
 * share the connection's folder.
 */
import { BowlineError } from "../../core/index.ts";
import type {
  ForeignApps,
  ForeignCall,
  ForeignConnection,
  ForeignEnd,
  ForeignPlace,
  ForeignStart,
  ForeignVerdict,
} from "./define.ts";

/** Returns apps that behave like all the given ones together. Throws a `world` error when there are none. */
export function joinApps(sources: readonly ForeignApps[]): ForeignApps {
  const [first, ...others] = sources;
  if (first === undefined) {
    throw new BowlineError("world", "apps: expected apps such as mcpApps({ ... }), got none");
  }
  return others.length === 0 ? first : new JoinedApps(sources);
}

class JoinedApps implements ForeignApps {
  readonly #sources: readonly ForeignApps[];
  /** The number of the source that has an app, by the app's name. */
  readonly #sourceOfApp = new Map<string, number>();

  constructor(sources: readonly ForeignApps[]) {
    this.#sources = sources;
  }

  async describe(place: ForeignPlace) {
    const described = await Promise.all(this.#sources.map((source) => source.describe(place)));
    for (const [i, apps] of described.entries()) {
      for (const { name } of apps) this.#sourceOfApp.set(name, i);
    }
    return described.flat();
  }

  async connect(place: ForeignPlace): Promise<ForeignConnection> {
    const opened = await Promise.allSettled(this.#sources.map((source) => source.connect(place)));
    const connections = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const failure = opened.find((one) => one.status === "rejected");
    if (failure) {
      await Promise.allSettled(connections.map((connection) => connection.close()));
      throw failure.reason;
    }
    return new JoinedConnection(connections, this.#sourceOfApp);
  }
}

class JoinedConnection implements ForeignConnection {
  readonly #connections: readonly ForeignConnection[];
  readonly #sourceOfApp: ReadonlyMap<string, number>;

  constructor(connections: readonly ForeignConnection[], sourceOfApp: ReadonlyMap<string, number>) {
    this.#connections = connections;
    this.#sourceOfApp = sourceOfApp;
  }

  async begin(start: ForeignStart): Promise<void> {
    for (const connection of this.#connections) await connection.begin(start);
  }

  async call(call: ForeignCall) {
    return this.#connections[this.#sourceOfApp.get(call.app) ?? 0]!.call(call);
  }

  /** Adds up the checks of all adapters; the reward is that of the first that gives one. */
  async evaluate(end: Omit<ForeignEnd, "verdict">): Promise<ForeignVerdict | undefined> {
    const verdicts: ForeignVerdict[] = [];
    for (const connection of this.#connections) {
      const verdict = await connection.evaluate?.(end);
      if (verdict) verdicts.push(verdict);
    }
    if (verdicts.length === 0) return undefined;
    const reward = verdicts.find((verdict) => verdict.reward !== undefined)?.reward;
    return {
      checks: verdicts.flatMap(({ checks }) => checks),
      ...(reward !== undefined && { reward }),
      metrics: Object.assign({}, ...verdicts.map(({ metrics }) => metrics)),
    };
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#connections.map((connection) => connection.close()));
  }
}
