/** Using a policy over the command line: chat, play, and the scaffold that a model's folder is given. */
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

const answersOf = (stdout: string) =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { message: string; text: string; promptTokens: number });

describe("chat over a pipe", () => {
  const chat = (input: string, ...args: string[]) =>
    runBowlineInProcess(["chat", model, "--max-tokens", "6", ...args], input);

  test("each line is a message, the conversation grows, /reset begins it anew, /exit ends it", async () => {
    const lines = ["Hello", "", "And you?", "/reset", "Hello", "/exit", "Never said"];
    const { code, stdout, stderr } = await chat(`${lines.join("\n")}\n`, "--json");
    expect(code).toBe(0);
    const answers = answersOf(stdout);
    expect(answers.map(({ message }) => message)).toEqual(["Hello", "And you?", "Hello"]);
    expect(answers[1]!.promptTokens).toBeGreaterThan(answers[0]!.promptTokens);
    expect(answers[2]).toEqual(answers[0]);
    expect(Object.keys(answers[0]!)).toEqual(["message", "text", "stop", "promptTokens", "tokens"]);
    expect(stderr).toMatch(/instruct: \d+,\d+ parameters, 900 tokens of context\. \/reset/);
    expect(stderr).toContain("the conversation begins anew");
  });

  test("the system prompt, the temperature and the seed matter; without --json the texts are printed", async () => {
    const text = async (...args: string[]) =>
      answersOf((await chat("Hi\n", "--json", ...args)).stdout)[0]!;
    const one = await text("--system", "Be brief.", "--temperature", "2", "--seed", "1");
    const two = await text("--temperature", "2", "--seed", "2");
    expect(two.promptTokens).not.toBe(one.promptTokens);
    expect(two.text).not.toBe(one.text);
    const { stdout } = await chat("Hi\n", "--temperature", "2", "--seed", "2");
    expect(stdout).toContain(two.text.trim());
  });

  test("what is wrong is told, and the conversation goes on", async () => {
    const long = "word ".repeat(400);
    const { code, stdout, stderr } = await chat(`${long}\n/rest\nHi\n`, "--json");
    expect(code).toBe(1);
    expect(answersOf(stdout).map(({ message }) => message)).toEqual(["Hi"]);
    expect(stderr).toMatch(/error: generate: the messages are \d+ tokens, and the context of 900/);
    expect(stderr).toContain("there is no command /rest (did you mean /reset?)");
  });

  test.each([
    [["chat", "nowhere"], 2, /unknown policy nowhere: expected a run, a checkpoint, or the folder/],
    [["chat", "x", "--max-tokens", "0"], 2, /max-tokens.*Expected an integer at least 1/s],
    [["chat", "x", "--algo.clip", "1"], 2, /bowline chat takes no config fields/],
    [["play", "--temperature", "1"], 2, /--temperature is a policy's, and none plays/],
    [["play", "--scaffold", "react"], 2, /--scaffold is a policy's, and none plays/],
  ])("%j is refused", async (args, expected, message) => {
    const { code, stderr } = await runBowlineInProcess(args);
    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringMatching(message) });
  });
});

describe("the scaffold of a model's folder", () => {
  const evaluated = (...args: string[]) =>
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

  test("is the one that fits, and eval says which", async () => {
    const { code, stdout } = await evaluated();
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /using scaffold fenced, because the model has a chat template, 2\dk parameters/,
    );
  });

  test.each([
    ["--scaffold", "compact"],
    ["--scaffold.name", "compact"],
  ])("is the one that is named by %s", async (option, name) => {
    const { code, stdout } = await evaluated(option, name);
    expect(code).toBe(0);
    expect(stdout).not.toContain("fits");
  });

  test("is named once, and rightly", async () => {
    const twice = await evaluated("--scaffold", "compact", "--scaffold.name", "react");
    expect(twice).toMatchObject({ code: 2 });
    expect(twice.stderr).toContain("--scaffold and --scaffold.name are the same");
    const wrong = await evaluated("--scaffold", "fence");
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toMatch(
      /expected compact, compact-tools, fenced, react, tools, agent .*did you mean fenced/,
    );
  });

  test("play lets the policy act, turn by turn, and ends with the checks", async () => {
    const { code, stdout } = await runBowlineInProcess([
      ...["play", "dev/0/1", "--policy", model, "--world", "toy", "--seed", "1"],
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/plays by the scaffold fenced/);
    expect(stdout).toMatch(/✗ not solved in \d+ turns? \((turn|token)-limit, reward 0\.00\)/);
    expect(stdout).toContain("the agent finished");
  });

  test("train takes it, says so, and warms up on demonstrations in it", async () => {
    const roomy = writeInstructModel(join(root, "roomy"), 4096);
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
      ...["train", "smoke", "--engine.model", roomy, "--out", out],
      ...Object.entries(fields).flatMap(([name, value]) => [`--${name}`, value]),
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("using scaffold fenced, because ");
    const said = await runBowlineInProcess(["chat", out, "--json", "--max-tokens", "4"], "Hello\n");
    expect(said.code).toBe(0);
    expect(answersOf(said.stdout)).toHaveLength(1);
  });
});

test("a model whose context does not hold the opening is refused before anything is sampled", async () => {
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
    /scaffold\.maxTokens: the first prompt of scaffold fenced alone has \d+ tokens for task .*, and a row may have 300/,
  );
});
