/** Plays episodes of an OpenEnv server in which clients do what they should not, drawn by a seed. */
import { once } from "node:events";
import { Rng } from "../../src/core/index.ts";
import { connectOpenEnv, type OpenEnvClient } from "./openenv-client.ts";

const run = (code: string) => ({ type: "step", data: { code } });
const FINISH = run("apis.me.finishTask({})");
const RESET = { type: "reset", data: {} };

/** What a client does after it has a socket. It throws when an answer is not what the protocol says. */
type Behaviour = (client: OpenEnvClient) => Promise<void>;

async function expectError(client: OpenEnvClient, message: object | string, code: string) {
  const { type, data } = await client.ask(message);
  if (type === "error" && data.code === code) return;
  throw new Error(`expected ${code}, got ${JSON.stringify({ type, data })}`);
}

async function expectDone(client: OpenEnvClient, message: object) {
  const { data } = await client.ask(message);
  if (data.done === true && typeof data.reward === "number") return;
  throw new Error(`expected the end of the episode, got ${JSON.stringify(data)}`);
}

const vanish = (client: OpenEnvClient) => client.socket.terminate();

export const BEHAVIOURS: { readonly [name: string]: Behaviour } = {
  async "a whole episode"(client) {
    await client.ask(RESET);
    await client.ask(run("print(apis.docs.listApps({}))"));
    await expectDone(client, FINISH);
  },
  async "two resets"(client) {
    await client.ask(RESET);
    await client.ask(RESET);
    await expectDone(client, FINISH);
  },
  async "a step before the reset"(client) {
    await expectError(client, run("1"), "EXECUTION_ERROR");
  },
  async "a step after the end"(client) {
    await client.ask(RESET);
    await expectDone(client, FINISH);
    await expectError(client, run("1"), "EXECUTION_ERROR");
  },
  async garbage(client) {
    await expectError(client, "\u0000{", "INVALID_JSON");
    await expectError(client, { type: "step", data: { code: [] } }, "VALIDATION_ERROR");
    await client.ask(RESET);
    await expectError(client, "]", "INVALID_JSON");
    await expectDone(client, FINISH);
  },
  async "a loop without an end"(client) {
    await client.ask(RESET);
    const { data } = await client.ask(run("for (;;);"));
    if (data.observation?.["status"] !== "limit") throw new Error(JSON.stringify(data));
  },
  async "a socket that vanishes in a step"(client) {
    await client.ask(RESET);
    client.socket.send(JSON.stringify(run("for (let i = 0; i < 1e5; i++);")));
    vanish(client);
  },
  async "a socket that vanishes in a reset"(client) {
    client.socket.send(JSON.stringify(RESET));
    vanish(client);
  },
  async "a socket that vanishes at once"(client) {
    vanish(client);
  },
  async "many messages and no reading"(client) {
    client.socket.send(JSON.stringify(RESET));
    for (let i = 0; i < 40; i++) client.socket.send(JSON.stringify(run(`print(${i})`)));
    client.socket.pause();
    vanish(client);
  },
  async bytes(client) {
    await client.ask(RESET);
    client.socket.send(Buffer.from([0, 1, 2]));
    await once(client.socket, "close");
  },
  async "a message that is too large"(client) {
    await client.ask(RESET);
    client.socket.send("x".repeat(5 << 20), () => {});
    await once(client.socket, "close");
  },
};

/** Plays `count` episodes on `clients` sockets at a time. Returns how often each behaviour was played. */
export async function playFaultyEpisodes(
  url: string,
  {
    count,
    clients,
    seed,
  }: { readonly count: number; readonly clients: number; readonly seed: number },
): Promise<Readonly<Record<string, number>>> {
  const rng = new Rng(seed);
  const names = Array.from({ length: count }, () => rng.pick(Object.keys(BEHAVIOURS)));
  const played: Record<string, number> = {};
  const remaining = [...names];
  const playNext = async (): Promise<void> => {
    const name = remaining.pop();
    if (name === undefined) return;
    const client = await connectOpenEnv(url);
    await BEHAVIOURS[name]!(client).catch((error) => {
      throw new Error(`${name}: ${error}`);
    });
    await client.close();
    played[name] = (played[name] ?? 0) + 1;
    await playNext();
  };
  await Promise.all(Array.from({ length: clients }, playNext));
  return played;
}
