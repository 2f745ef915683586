/** A thread in which attacks on the sandbox run, with probes that show whether they did harm. */
import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { spawnWorker } from "../../src/core/index.ts";
import type { CellResult } from "../../src/world/sandbox/index.ts";
import { packageModuleUrl } from "./package-module.ts";

const WORKER = `
  import { parentPort } from "node:worker_threads";
  import { createSandbox } from ${JSON.stringify(packageModuleUrl("world/sandbox/index.ts"))};
  const sandbox = await createSandbox();
  const open = () => sandbox.open({
    apps: { mail: ["send", "list"] },
    call: (app, api, args) => args?.fail ? { ok: false, status: 422, message: "refused" } : { ok: true, value: { app, api, args } },
    now: () => "2031-05-06T07:08:09Z",
    seed: 7,
    limits: { fuel: 60, calls: 50, jobs: 2000, stdoutChars: 1000 },
  });
  const neighbour = open();
  await neighbour.run("const kept = 41;");
  parentPort.on("message", async ({ code, probe, neighbourProbe }) => {
    const attacked = open();
    await attacked.run("const kept = 41;");
    const result = await attacked.run(code);
    const after = [await attacked.run(probe), await neighbour.run(neighbourProbe)];
    attacked.close();
    const polluted = Object.keys(Object.prototype).length > 0;
    parentPort.postMessage({ result, after, polluted });
  });
  parentPort.postMessage("ready");
`;
const PROBE = "print(kept + 1, apis.mail.send({ to: 'a' }).args.to, await 7)";
const NEIGHBOUR_PROBE = `
  print(kept + 1, apis.mail.send({ to: 'a' }).args.to, await Promise.resolve(7));
  print(JSON.stringify([{}]), new Date().toISOString(), [3, 1, 2].sort(), Math.random() < 1, typeof {}.polluted);
`;
const NEIGHBOUR_ANSWER = `42 a 7\n[{}] 2031-05-06T07:08:09.000Z [1,2,3] true undefined\n`;

/** Starts a thread with a sandbox and a REPL in it that is not attacked. */
export async function startAttackedSandbox(stackSizeMb = 8): Promise<Worker> {
  const entry = new URL(`data:text/javascript,${encodeURIComponent(WORKER)}`);
  const started = spawnWorker(entry, { resourceLimits: { stackSizeMb } });
  await once(started, "message");
  return started;
}

/** How an attack ended, and what the attacked REPL and its neighbour answered afterwards. */
export interface AttackResult {
  readonly result: CellResult;
  readonly after: readonly [attacked: CellResult, neighbour: CellResult];
  /** Whether the prototype of the thread's own objects has a new property. */
  readonly polluted: boolean;
}

/** What the attacked REPL and its neighbour answer when an attack has done no harm. */
export const UNHARMED: Omit<AttackResult, "result"> = {
  after: [
    { status: "ok", stdout: "42 a 7\n" },
    { status: "ok", stdout: NEIGHBOUR_ANSWER },
  ],
  polluted: false,
};

/** Runs the code, then probes the attacked REPL and the other REPL. */
export async function runAttack(target: Worker, code: string): Promise<AttackResult> {
  target.postMessage({ code, probe: PROBE, neighbourProbe: NEIGHBOUR_PROBE });
  const [answer] = await once(target, "message");
  return answer as AttackResult;
}
