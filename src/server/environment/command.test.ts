/** Tests environments that are programs: how an episode ends, what counts as a reward, and that no process is left. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scriptedSession } from "../../testing/index.ts";
import type { AgentContext } from "../agent/index.ts";
import { command } from "./command.ts";
import type { CommandOptions } from "./command-options.ts";
import { isGroupAlive } from "./process-group.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bowline-command-test-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const URL = "http://127.0.0.1:1/e/1/openai/v1";
const createContext = (signal = new AbortController().signal): AgentContext => ({
  ...{ signal, apiKey: "bowline-secret", baseURL: URL },
  ...{ anthropicBaseURL: "http://a", googleBaseURL: "http://g" },
  session: scriptedSession([]),
  model: undefined as never,
});

function run(options: CommandOptions, context = createContext(), task: unknown = { id: "t" }) {
  return Promise.resolve(command(options)(task, context));
}

const runShell = (script: string, options: Partial<CommandOptions> = {}, context?: AgentContext) =>
  run({ command: script, ...options }, context);

describe("an environment that is a program", () => {
  it("gets the task in a file, and the addresses and the key of its own model as variables", async () => {
    const script = `
      case "$(cat "$BOWLINE_TASK")" in '{"id":"t"}') ;; *) exit 3 ;; esac
      [ "$OPENAI_BASE_URL $OPENAI_API_KEY" = "${URL} bowline-secret" ] || exit 4
      [ "$ANTHROPIC_BASE_URL $ANTHROPIC_API_KEY" = "http://a bowline-secret" ] || exit 5
      [ "$BOWLINE_EPISODE $EXTRA" = "scripted more" ] || exit 6
      [ "$GOOGLE_GEMINI_BASE_URL $GEMINI_API_KEY" = "http://g bowline-secret" ] || exit 7
      [ "$GOOGLE_API_KEY $GOOGLE_GENAI_USE_VERTEXAI" = "bowline-secret false" ] || exit 8
      echo 0.25 > "$BOWLINE_REWARD"`;
    expect(await runShell(script, { env: { EXTRA: "more" } })).toEqual({ reward: 0.25 });
    expect(await run({ command: ["/bin/echo", '{"reward":1}'] })).toEqual({ reward: 1 });
    expect(await runShell("echo '{\"reward\": 1}'", { workingDirectory: folder })).toEqual({
      reward: 1,
    });
  });

  it.each([
    ['echo \'{"reward": 0.5, "metrics": {"steps": 3}}\' > $BOWLINE_REWARD', 0.5],
    ['echo note; echo \'{"reward": 0}\'; echo \'{"reward": 0.75, "other": []}\'; echo bye', 0.75],
    ["echo '{\"reward\": 0.2}'; echo 0.4 > $BOWLINE_REWARD", 0.4],
    ["echo '{\"reward\": 0.2}'; : > $BOWLINE_REWARD", 0.2],
  ])("reads the reward of %j", async (script, reward) => {
    expect(await runShell(script)).toMatchObject({ reward });
  });

  it("reads the reward from the field that the options name", async () => {
    const script = 'echo \'{"reward": 1, "verifier": {"score": 0.5}}\'';
    expect(await runShell(script, { rewardField: "verifier.score" })).toEqual({ reward: 0.5 });
  });

  it("takes no reward from the rest of a line that is too long to keep", async () => {
    const pad = 'head -c 40 /dev/zero | tr "\\0" x; printf "%s" "{\\"reward\\":1}"';
    expect(await runShell(`${pad}; head -c 1048564 /dev/zero | tr "\\0" " "`)).toBeUndefined();
    const kept = `head -c 1500000 /dev/zero | tr "\\0" x; echo; echo '{"reward": 0.5}'`;
    expect(await runShell(kept)).toEqual({ reward: 0.5 });
  });

  it("returns nothing when a program that exits with 0 wrote no reward, so the rollout fails", async () => {
    expect(await runShell("echo 1; echo done")).toBeUndefined();
  });

  it.each([
    ["echo '{\"reward\": 1}'; exit 3", "exit-code", /exited with the code 3/],
    ["echo 1 > $BOWLINE_REWARD; kill -9 $$", "killed", /SIGKILL/],
    ["echo no key $OPENAI_API_KEY >&2; exit 1", "exit-code", /code 1: no key \[key\]$/],
    ["echo '{\"reward\": 1}'; echo '{\"reward\": 0.'", "bad-reward", /is no JSON/],
    ["echo '{\"reward\": 1}'; echo '{\"score\": 1}'", "bad-reward", /number in the field reward/],
    ['echo \'{"reward": "1"}\'', "bad-reward", /number in the field reward/],
    ["echo '{\"reward\": NaN}'", "bad-reward", /is no JSON/],
    ["echo '{\"reward\": 1}'; echo yes > $BOWLINE_REWARD", "bad-reward", /the reward file is no/],
    ['echo \'{"reward": 1, "metrics": 3}\'', "bad-reward", /metrics to be an object/],
  ])("fails on %j, whatever reward was written before", async (script, name, message) => {
    await expect(runShell(script)).rejects.toMatchObject({
      name,
      message: expect.stringMatching(message),
    });
  });

  it("fails when the program does not exist", async () => {
    const missing = { command: [join(folder, "none")] };
    await expect(run(missing)).rejects.toThrow(/exited with the code 127: .*none/);
    await expect(runShell("true", { workingDirectory: join(folder, "none") })).rejects.toThrow(
      /cannot start/,
    );
  });

  it("ends the whole group of a program that takes too long, also one that ignores the request", async () => {
    const pids = join(folder, "hanging");
    const agent = command({
      command: `trap '' TERM; echo $$ > ${pids}; (trap '' TERM; sleep 30) & sleep 30; echo '{"reward":1}'`,
      ...{ timeoutSeconds: 0.5, graceSeconds: 0.2 },
    });
    await expect(Promise.resolve(agent({}, createContext()))).rejects.toMatchObject({
      name: "time",
      message: expect.stringMatching(/timeoutSeconds \(0.5\)/),
    });
    expect(isGroupAlive(Number(readFileSync(pids, "utf8")))).toBe(false);
    await agent.settled!();
  });

  it("ends what a program leaves behind, and still takes its reward", async () => {
    const pids = join(folder, "left");
    const script = `echo $$ > ${pids}; sleep 30 & echo '{"reward": 1}'`;
    expect(await runShell(script)).toEqual({ reward: 1 });
    expect(isGroupAlive(Number(readFileSync(pids, "utf8")))).toBe(false);
  });

  it("ends with the episode, before `settled` resolves, and takes no reward from then on", async () => {
    const pids = join(folder, "aborted");
    const stop = new AbortController();
    const agent = command({ command: `echo $$ > ${pids}; sleep 30; echo '{"reward": 1}'` });
    const result = Promise.resolve(agent({}, createContext(stop.signal)));
    const caught = result.catch((error: Error) => error.message);
    while (!existsSync(pids) || readFileSync(pids, "utf8") === "")
      await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    await agent.settled!();
    expect(isGroupAlive(Number(readFileSync(pids, "utf8")))).toBe(false);
    expect(await caught).toMatch(/the episode is over/);
  });

  it("leaves no temporary folder", async () => {
    const count = () => readdirSync(tmpdir()).filter((name) => name.startsWith("bowline-episode-"));
    const before = count().length;
    await runShell("echo '{\"reward\": 1}'");
    expect(count().length).toBeLessThanOrEqual(before);
  });

  it.each([
    [{ command: [] }, /command: expected a list/],
    [{ command: " " }, /command: expected a list/],
    [{ command: "x", env: { OPENAI_API_KEY: "sk" } }, /env.OPENAI_API_KEY: Bowline sets this/],
    [{ command: "x", env: { A: 1 } }, /env.A: expected a text/],
    [{ command: "x", timeoutSeconds: 0 }, /timeoutSeconds: expected a number of seconds/],
    [{ command: "x", comand: 1 }, /comand/],
  ])("refuses the options %j", (options, message) => {
    expect(() => command(options as never)).toThrow(message);
  });
});
