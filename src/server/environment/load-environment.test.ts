/** Tests environment files and modules, environments that are servers, and that only trust lets a run name one. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { THIS_CALL, trustModule } from "../../core/index.ts";
import { scriptedSession } from "../../testing/index.ts";
import type { AgentContext } from "../agent/index.ts";
import { endpoint } from "./endpoint.ts";
import { readEnvironmentRecord, recordEnvironment } from "./environment-record.ts";
import { loadEnvironment } from "./load-environment.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bowline-environment-test-"));
  vi.stubEnv("BOWLINE_HOME", join(folder, "home"));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
const createContext = (signal = new AbortController().signal): AgentContext => ({
  ...{ signal, apiKey: "bowline-secret", anthropicBaseURL: "http://a", googleBaseURL: "http://g" },
  baseURL: "http://127.0.0.1:1/e/1/openai/v1",
  session: scriptedSession([]),
  model: undefined as never,
});

describe("an environment file", () => {
  it("gives tasks from lists and files, and a program that runs in the folder of the file", async () => {
    write("tasks.jsonl", '{"id":"a"}\n\n"plain"\n');
    write("reward.txt", "0.5");
    const path = write("env.json", {
      command: 'cp reward.txt "$BOWLINE_REWARD"',
      tasks: { train: "tasks.jsonl", dev: [{ id: "d" }] },
      ...{ passAt: 0.5, timeoutSeconds: 20 },
    });
    const { run, ...rest } = await loadEnvironment(path, THIS_CALL);
    const tasks = { train: [{ id: "a" }, "plain"], dev: [{ id: "d" }], test: [] };
    expect(rest).toEqual({ tasks, passAt: 0.5, timeoutSeconds: 20 });
    expect(await run({}, createContext())).toEqual({ reward: 0.5 });
    await run.settled!();
  });

  it("may be a module with the options of trainAgent", async () => {
    const path = write("env.mjs", "export default { tasks: [1], run: () => 0.25 };");
    const { run, tasks } = await loadEnvironment(path, THIS_CALL);
    expect([tasks, await run({}, createContext())]).toEqual([[1], 0.25]);
  });

  it.each([
    [{ command: "x", tasks: [1], shell: true }, /bad.json: shell: this field is unknown/],
    [{ tasks: [1] }, /expected either a command or a url, got neither/],
    [{ command: "x", url: "http://a", tasks: [1] }, /got both/],
    [{ url: "http://a", env: {}, tasks: [1] }, /env belongs to a command/],
    [{ url: "file:///etc/passwd", tasks: [1] }, /bad.json: url/],
    [{ command: [], tasks: [1] }, /bad.json: command/],
    [{ command: "x" }, /bad.json: tasks: expected a list of tasks/],
    [{ command: "x", tasks: "none.jsonl" }, /cannot read .*none.jsonl/],
    [{ command: "x", tasks: [1], env: { OPENAI_API_KEY: "sk" } }, /env.OPENAI_API_KEY/],
    ["{", /bad.json is no JSON/],
  ])("is refused when it is %j", async (content, message) => {
    await expect(loadEnvironment(write("bad.json", content), THIS_CALL)).rejects.toThrow(message);
  });
});

describe("an environment that a run names", () => {
  const origin = { by: "file" as const, file: "RUN/environment.json", subject: "RUN" };

  it("is loaded only from a path that the user trusts", async () => {
    const content = { command: "x", tasks: [1] };
    const path = write("named.json", content);
    const refusal = { code: "trust", message: expect.stringMatching(/bowline trust RUN/) };
    await expect(loadEnvironment(path, origin)).rejects.toMatchObject(refusal);
    trustModule(path);
    expect((await loadEnvironment(path, origin)).tasks).toEqual([1]);
    // A copy starts what lies beside the copy, so an equal content is not enough.
    const copy = write("copy.json", content);
    await expect(loadEnvironment(copy, origin)).rejects.toMatchObject(refusal);
  });

  it("is recorded and trusted when the run has begun", async () => {
    const path = write("recorded.json", { command: "x", tasks: [1] });
    const run = mkdtempSync(join(folder, "run-"));
    expect([recordEnvironment(run, path), readEnvironmentRecord(run)]).toEqual([false, undefined]);
    writeFileSync(join(run, "run.json"), "{}");
    expect(recordEnvironment(run, path)).toBe(true);
    expect((await loadEnvironment(readEnvironmentRecord(run)!.file, origin)).tasks).toEqual([1]);
  });
});

describe("an environment that is a server", () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });
  async function serve(status: number, answer: string | undefined): Promise<() => string> {
    let body = "";
    server = createServer((request, response) => {
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        if (answer !== undefined) response.writeHead(status).end(answer);
      });
    });
    await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
    return () => body;
  }
  const post = (options = {}, context = createContext()) => {
    const { port } = server!.address() as { readonly port: number };
    return Promise.resolve(
      endpoint({ url: `http://127.0.0.1:${port}/run`, ...options })({ id: "t" }, context),
    );
  };

  it("gets the task with the addresses and the key of its model, and answers with the reward", async () => {
    const received = await serve(200, '{"reward": 0.5, "metrics": {"steps": 2}}');
    expect(await post()).toEqual({ reward: 0.5, metrics: { steps: 2 } });
    expect(JSON.parse(received())).toMatchObject({
      ...{ task: { id: "t" }, apiKey: "bowline-secret", episode: "scripted" },
      openaiBaseURL: "http://127.0.0.1:1/e/1/openai/v1",
      rewardURL: "http://127.0.0.1:1/e/1/reward",
    });
  });

  it("leaves the reward to what was posted when its answer is empty", async () => {
    await serve(204, "");
    expect(await post()).toBeUndefined();
  });

  it.each([
    [500, '{"reward": 1}', "server", /answered 500/],
    [302, '{"reward": 1}', "server", /answered 302/],
    [200, "1", "bad-reward", /expected a JSON object/],
    [200, '{"reward": ', "bad-reward", /is no JSON/],
    [200, '{"score": 1}', "bad-reward", /field reward/],
  ])("fails when it answers %i %s", async (status, answer, name, message) => {
    await serve(status, answer);
    await expect(post()).rejects.toMatchObject({ name, message: expect.stringMatching(message) });
  });

  it("fails in time when it does not answer, and when the connection breaks", async () => {
    await serve(200, undefined);
    await expect(post({ timeoutSeconds: 0.1 })).rejects.toMatchObject({ name: "time" });
    const broken = post();
    setTimeout(() => server!.closeAllConnections(), 50);
    await expect(broken).rejects.toMatchObject({ name: "server" });
  });

  it("refuses an address that is none", () => {
    expect(() => endpoint({ url: "ftp://a" })).toThrow(/url: expected an address/);
  });
});
