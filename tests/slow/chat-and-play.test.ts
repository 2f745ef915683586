/** Uses a policy with the command line: chat, play, and the choice of a scaffold for a model folder. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createMemoryFolder } from "../../src/testing/fake-makers.ts";
import { writeInstructModel } from "../support/instruct-model.ts";
import { runBowlineInProcess } from "../support/terminal.ts";

vi.setConfig({ testTimeout: 120_000 });

let root: string;
let model: string;
beforeAll(() => {
  root = createMemoryFolder("bowline-use-");
  model = writeInstructModel(join(root, "instruct"), 900);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const parseAnswers = (stdout: string) =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { message: string; text: string; promptTokens: number });

describe("bowline chat with piped input", () => {
  const runChat = (input: string, ...args: string[]) =>
    runBowlineInProcess(["chat", model, "--max-tokens", "6", ...args], input);

  test("chat answers each line, remembers earlier ones, restarts at /reset and ends at /exit", async () => {
    const lines = ["Hello", "", "And you?", "/reset", "Hello", "/exit", "Never said"];
    const { code, stdout, stderr } = await runChat(`${lines.join("\n")}\n`, "--json");
    expect(code).toBe(0);
    const answers = parseAnswers(stdout);
    expect(answers.map(({ message }) => message)).toEqual(["Hello", "And you?", "Hello"]);
    expect(answers[1]!.promptTokens).toBeGreaterThan(answers[0]!.promptTokens);
    expect(answers[2]).toEqual(answers[0]);
    expect(Object.keys(answers[0]!)).toEqual(["message", "text", "stop", "promptTokens", "tokens"]);
    expect(stderr).toMatch(/instruct: \d+,\d+ parameters, 900 tokens of context\. \/reset/);
    expect(stderr).toContain("new conversation");
  });

  test("chat uses system prompt, temperature and seed, and prints plain texts without --json", async () => {
    const askOnce = async (...args: string[]) =>
      parseAnswers((await runChat("Hi\n", "--json", ...args)).stdout)[0]!;
    const one = await askOnce("--system", "Be brief.", "--temperature", "2", "--seed", "1");
    const two = await askOnce("--temperature", "2", "--seed", "2");
    expect(two.promptTokens).not.toBe(one.promptTokens);
    expect(two.text).not.toBe(one.text);
    const { stdout } = await runChat("Hi\n", "--temperature", "2", "--seed", "2");
    expect(stdout).toContain(two.text.trim());
  });

  test("chat prints an error for a message that is too long or an unknown command, and then continues", async () => {
    const long = "word ".repeat(400);
    const { code, stdout, stderr } = await runChat(`${long}\n/rest\nHi\n`, "--json");
    expect(code).toBe(1);
    expect(parseAnswers(stdout).map(({ message }) => message)).toEqual(["Hi"]);
    expect(stderr).toMatch(/error: generate: the messages are \d+ tokens, and the context of 900/);
    expect(stderr).toContain("there is no command /rest (did you mean /reset?)");
  });

  test.each([
    [["chat", "nowhere"], 2, /unknown policy nowhere: expected a run directory/],
    [["chat", "x", "--max-tokens", "0"], 2, /max-tokens.*Expected an integer at least 1/s],
    [["chat", "x", "--algo.clip", "1"], 2, /bowline chat takes no config fields/],
    [["play", "--temperature", "1"], 2, /--temperature is an option for a policy/],
    [["play", "--scaffold", "react"], 2, /--scaffold is an option for a policy/],
  ])("the command line %j is refused", async (args, expected, message) => {
    const { code, stderr } = await runBowlineInProcess(args);
    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringMatching(message) });
  });
});

describe("the scaffold of a model folder", () => {
  const evaluateModel = (...args: string[]) =>
    runBowlineInProcess([
      "eval",
      model,
      "--world",
      "toy",
      "--split",
      "dev",
      "--scenarios",
      "1",
      ...args,
    ]);

  test("eval chooses a scaffold that fits the model, and prints it", async () => {
    const { code, stdout } = await evaluateModel();
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /using scaffold fenced, because the model has a chat template, 2\dk parameters/,
    );
  });

  test.each([
    ["--scaffold", "compact"],
    ["--scaffold.name", "compact"],
  ])("eval uses the scaffold that the option %s names", async (option, name) => {
    const { code, stdout } = await evaluateModel(option, name);
    expect(code).toBe(0);
    expect(stdout).not.toContain("fits");
  });

  test("a scaffold that is named twice or unknown is refused", async () => {
    const twice = await evaluateModel("--scaffold", "compact", "--scaffold.name", "react");
    expect(twice).toMatchObject({ code: 2 });
    expect(twice.stderr).toContain("--scaffold and --scaffold.name are the same");
    const wrong = await evaluateModel("--scaffold", "fence");
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toMatch(
      /expected compact, compact-tools, fenced, react, tools, agent .*did you mean fenced/,
    );
  });

  test("play lets the policy act turn by turn, and then shows the checks", async () => {
    const { code, stdout } = await runBowlineInProcess([
      ...["play", "dev/0/1", "--policy", model, "--world", "toy", "--seed", "1"],
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/acts with the scaffold fenced/);
    expect(stdout).toMatch(/✗ not solved in \d+ turns? \((turn|token)-limit, reward 0\.00\)/);
    expect(stdout).toContain("the agent finished");
  });

  test("train prints the scaffold that it chose, and the warm start imitates demonstrations in this scaffold", async () => {
    const roomyModel = writeInstructModel(join(root, "roomy"), 4096);
    const out = join(root, "run");
    const fields = {
      "warm.demonstrations": "16",
      "warm.rows": "8",
      "scaffold.max-tokens": "3000",
      "scaffold.max-turn-tokens": "150",
      "scaffold.max-turns": "6",
      "model.context-length": "3000",
      "algo.iterations": "0",
      "evaluation.scenarios": "1",
      "evaluation.scores": "dev",
      "scaffold.evaluation-turns": "1",
      "engine.lora.rank": "2",
    };
    const { code, stdout, stderr } = await runBowlineInProcess([
      ...["train", "smoke", "--engine.model", roomyModel, "--out", out],
      ...Object.entries(fields).flatMap(([name, value]) => [`--${name}`, value]),
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("using scaffold fenced, because ");
    const said = await runBowlineInProcess(["chat", out, "--json", "--max-tokens", "4"], "Hello\n");
    expect(said.code).toBe(0);
    expect(parseAnswers(said.stdout)).toHaveLength(1);
  });
});

test("a model whose context is too short for the first prompt is refused before sampling", async () => {
  const short = writeInstructModel(join(root, "short"), 300);
  const { code, stderr } = await runBowlineInProcess([
    "eval",
    short,
    "--world",
    "toy",
    "--scenarios",
    "1",
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /scaffold\.maxTokens: the first prompt of scaffold fenced alone has \d+ tokens for task .*, and a conversation may have 300/,
  );
});
