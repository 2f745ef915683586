/** `bowline serve --openenv` serves a world as an environment of OpenEnv, until Ctrl-C. */
import { toVisibleJson } from "../../core/index.ts";
import type { OpenEnvServer } from "../../server/index.ts";
import type { Dials } from "../../spec/index.ts";
import { resolveWorld } from "../../train/index.ts";
import { openWorld } from "../../world/index.ts";
import type { CommandContext } from "../command-context.ts";
import { listenForInterrupt, waitForAbort } from "../interrupt.ts";
import type { Channel } from "../terminal.ts";
import type { OpenEnvOptions } from "./serve-openenv-options.ts";

export interface ServeOpenEnvOptions extends OpenEnvOptions {
  readonly openenv: string;
  readonly host: string;
  readonly port: number;
  readonly key?: string;
  readonly seed?: number;
  readonly dials: Partial<Dials>;
  readonly json?: boolean;
}

/** Serves a world until Ctrl-C. Throws a `config` error for a split without tasks. */
export async function serveOpenEnv(
  options: ServeOpenEnvOptions,
  { terminal }: CommandContext,
): Promise<void> {
  const { out, err } = terminal;
  const { startOpenEnvServer } = await import("../../server/index.ts");
  const interrupt = listenForInterrupt(options.json ? err : out);
  const { seed = 1, dials, workers, idleMinutes, episodes, host, port, maxSteps, reward } = options;
  const { splits, scenarios, solutions, key } = options;
  const world = await openWorld(resolveWorld(options.openenv).url, { seed, dials, workers });
  try {
    await using server = await startOpenEnvServer({
      ...{ world, host, port, maxSteps, reward, maxEpisodes: episodes },
      idleMs: idleMinutes * 60_000,
      ...(splits !== undefined && { splits }),
      ...(scenarios !== undefined && { scenarios }),
      ...(solutions !== undefined && { solutions }),
      ...(key !== undefined && { key }),
    });
    const facts = describeServer(server, options);
    out.writeLine(
      options.json ? toVisibleJson(facts) : formatHeading(facts, host, key !== undefined, out),
    );
    await waitForAbort(interrupt.signal);
    if (!options.json) out.writeLine("the server has stopped");
  } finally {
    interrupt.dispose();
    await world.close();
  }
}

function describeServer(
  { url, name, splits }: OpenEnvServer,
  { openenv, episodes, maxSteps, reward }: ServeOpenEnvOptions,
) {
  const webSocket = `${url.replace(/^http/, "ws")}/ws`;
  return {
    url,
    webSocket,
    mcp: `${url}/mcp`,
    world: openenv,
    name,
    splits,
    episodes,
    maxSteps,
    reward,
  };
}

type ServerFacts = ReturnType<typeof describeServer>;

function formatHeading(
  { url, webSocket, mcp, world, splits, episodes, reward }: ServerFacts,
  host: string,
  hasKey: boolean,
  { paint }: Channel,
): string {
  const about = `${splits.join(", ")} · at most ${episodes} episodes at once · reward ${reward}`;
  const isLocal = ["127.0.0.1", "::1", "localhost"].includes(host);
  const warning = `  Anyone who can reach ${host} can use it: the server checks no keys. --key-from adds one.`;
  return [
    `${paint("bold", `bowline serve --openenv  ${world}`)}  ${paint("dim", about)}`,
    `  ${paint("cyan", webSocket)}   ${paint("dim", "OpenEnv: reset, step, state")}`,
    `  ${paint("cyan", mcp)}   ${paint("dim", "MCP: the APIs as tools")}`,
    ...(isLocal || hasKey ? [] : [paint("yellow", warning)]),
    "",
    "  In Python:",
    `    env = GenericEnvClient(base_url=${JSON.stringify(url)}).sync()`,
    '    env.reset(split="train", index=0); env.step({"code": "print(apis.docs.listApps({}))"})',
    "",
    "  Press Ctrl-C to stop the server.",
  ].join("\n");
}
