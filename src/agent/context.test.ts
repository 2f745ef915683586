import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Policy, type Rollout, rolloutSchema, type Sample } from "../spec/index.ts";
import { byteTokenizer } from "../testing/byte-tokenizer.ts";
import { fakeEpisode } from "../testing/fake-episode.ts";
import { scriptedPolicy } from "../testing/scripted-policy.ts";
import { compactRenderer } from "./compact-renderer.ts";
import { compactScaffold } from "./compact-scaffold.ts";
import { type ContextOptions, splitIntoChunks, WRITING_REQUESTS } from "./context.ts";
import { createRolloutHooks } from "./participants.ts";
import { type RolloutRequest, runRollout } from "./rollout.ts";

const tokenizer = byteTokenizer();
const renderer = compactRenderer(tokenizer);
const prompts: string[] = [];

/** Says these things one after the other, whatever it sees; what it saw is in `prompts`. */
function says(script: readonly string[]): Policy {
  let next = 0;
  prompts.length = 0;
  return {
    kind: "tokens",
    release: () => {},
    sample: async ({ tokens, stream }): Promise<Sample> => {
      prompts.push(tokenizer.decode(tokens));
      const said = renderer.turn(script[next++] ?? "finish");
      const logprobs = said.map(() => -(stream % 97) / 100);
      return { tokens: said, logprobs, stop: "stop", policyVersion: 1 };
    },
  };
}

function run(
  script: readonly string[],
  context: ContextOptions,
  more: Partial<RolloutRequest> = {},
): Promise<Rollout> {
  return runRollout({
    policy: says(script),
    renderer,
    scaffold: compactScaffold({ maxTurns: 8, maxTurnTokens: 40, maxTokens: 400 }),
    id: "1/0/0",
    index: 0,
    stream: 5,
    temperature: 1,
    episode: fakeEpisode(),
    hooks: createRolloutHooks({ context }),
    ...more,
  });
}

const rowsOf = (rollout: Rollout) => [rollout.tokens!, ...(rollout.segments ?? [])];
const said = (rollout: Rollout) =>
  rollout.turns.map(({ span, segment = 0 }) =>
    renderer.text(
      rowsOf(rollout)
        [segment]!.ids.slice(...span!)
        .slice(0, -1),
    ),
  );

describe("every context", () => {
  const contexts = fc.oneof(
    fc.constant<ContextOptions>({ context: "growing" }),
    fc.record({
      context: fc.constant("window" as const),
      turns: fc.integer({ min: 1, max: 3 }),
      drops: fc.constantFrom("turns" as const, "observations" as const),
    }),
    fc.record({
      context: fc.constant("summary" as const),
      tokens: fc.integer({ min: 30, max: 120 }),
      most: fc.integer({ min: 0, max: 3 }),
    }),
    fc.record({
      context: fc.constant("state" as const),
      chunkCharacters: fc.integer({ min: 3, max: 12 }),
    }),
  );

  test("keeps exact ids: spans hold what was said, masks are 1 on spans alone, and the record parses", async () => {
    await fc.assert(
      fc.asyncProperty(
        contexts,
        fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 12 }), { maxLength: 6 }),
        async (context, script) => {
          const rollout = await run(script, context);
          expect(rolloutSchema.parse(JSON.parse(JSON.stringify(rollout)))).toEqual(rollout);
          expect(said(rollout)).toEqual(rollout.turns.map(({ message }) => message));
          rowsOf(rollout).forEach(({ ids, mask, logprobs }, row) => {
            const own = rollout.turns.filter(({ segment = 0 }) => segment === row);
            const sampled = new Set(
              own.flatMap(({ span }) =>
                Array.from({ length: span![1] - span![0] }, (_, i) => span![0] + i),
              ),
            );
            expect(mask).toEqual(ids.map((_, i) => Number(sampled.has(i))));
            expect(logprobs.length).toBe(ids.length);
          });
        },
      ),
      { numRuns: 15 },
    );
  });

  test("a growing context with hooks is the linear rollout to the bit", async () => {
    const script = ["one", "two", "finish"];
    const plain = await runRollout({
      policy: says(script),
      renderer,
      scaffold: compactScaffold({ maxTurns: 8, maxTurnTokens: 40, maxTokens: 400 }),
      id: "1/0/0",
      index: 0,
      stream: 5,
      temperature: 1,
      episode: fakeEpisode(),
    });
    expect(await run(script, { context: "growing" })).toEqual(plain);
    expect(plain.version).toBe(1);
  });

  test("segments have random streams of their own", async () => {
    const { segments } = await run(["a", "b", "finish"], { context: "state" });
    const first = (row: Rollout["tokens"]) => row!.logprobs[row!.mask.indexOf(1)];
    expect(new Set(segments!.map(first)).size).toBe(segments!.length);
  });

  test("messages without tokens see the same prompts", async () => {
    const seen: string[] = [];
    const script = ["a", "b", "c", "finish"];
    let next = 0;
    const policy = scriptedPolicy((messages) => {
      seen.push(messages.map(({ content }) => content).join("|"));
      return script[next++]!;
    });
    await run([], { context: "window", turns: 1, drops: "turns" }, { policy });
    expect(seen).toEqual([
      "Finish.",
      "Finish.|a|ran a\n",
      "Finish.|b|ran b\n",
      "Finish.|c|ran c\n",
    ]);
  });
});

describe("window", () => {
  test("holds the opening and the last turns, and begins a row where something leaves", async () => {
    const rollout = await run(["a", "b", "c", "finish"], {
      context: "window",
      turns: 2,
      drops: "turns",
    });
    expect(rollout).toMatchObject({ version: 2, outcome: "finished" });
    expect(rollout.segments).toHaveLength(1);
    expect(prompts[3]).toBe(
      "<|task|>Finish.<|code|>b<|run|>ran b\n<|code|>c<|run|>ran c\n<|code|>",
    );
    expect(rollout.turns.map(({ segment }) => segment)).toEqual([
      undefined,
      undefined,
      undefined,
      1,
    ]);
  });

  test("or keeps the agent's words and drops what they brought", async () => {
    await run(["a", "b", "finish"], { context: "window", turns: 1, drops: "observations" });
    expect(prompts[2]).toBe(
      "<|task|>Finish.<|code|>a<|run|>(left out)<|code|>b<|run|>ran b\n<|code|>",
    );
  });

  test("a window that does not fit ends the rollout", async () => {
    const long = "x".repeat(30);
    const rollout = await run(
      Array.from({ length: 8 }, () => long),
      { context: "window", turns: 1, drops: "turns" },
      { scaffold: compactScaffold({ maxTurns: 8, maxTurnTokens: 40, maxTokens: 70 }) },
    );
    expect(rollout.outcome).toBe("token-limit");
  });
});

describe("summary", () => {
  test("the policy sums up a row that grows too long, and the summary stands for it", async () => {
    const rollout = await run(["a", "b", "did a b", "finish"], {
      context: "summary",
      tokens: 25,
      maxSummaries: 1,
    });
    expect(rollout.turns.map(({ part, message }) => part ?? message)).toEqual([
      "a",
      "b",
      "summary",
      "finish",
    ]);
    expect(prompts[2]).toContain(`ran b\n${WRITING_REQUESTS.summary}<|code|>`);
    expect(prompts[3]).toBe(`<|task|>Finish.\nSo far: did a b\n${WRITING_REQUESTS.act}<|code|>`);
    expect(rollout.turns[2]).toMatchObject({ code: "", observation: "", calls: [] });
    expect(rollout.outcome).toBe("finished");
  });

  test("one summary more than allowed ends the rollout", async () => {
    const rollout = await run(["a", "b", "did", "c", "d", "e"], {
      context: "summary",
      tokens: 30,
      maxSummaries: 0,
    });
    expect(rollout).toMatchObject({ outcome: "token-limit" });
    expect(rollout.turns.every(({ part }) => part === undefined)).toBe(true);
  });
});

describe("state", () => {
  test("a prompt holds the opening, the state and the last observation, so its size does not grow", async () => {
    const rollout = await run(["a1", "s1", "a2", "s2", "a3", "s3", "finish"], { context: "state" });
    expect(rollout.turns.map(({ part }) => part)).toEqual([
      undefined,
      "state",
      undefined,
      "state",
      undefined,
      "state",
      undefined,
    ]);
    const asked = prompts.filter((prompt) => prompt.endsWith(`${WRITING_REQUESTS.state}<|code|>`));
    expect(asked[2]).toBe(
      `<|task|>Finish.\nYou remember: s2\nYou ran: a3\nIt printed: ran a3\n\n${WRITING_REQUESTS.state}<|code|>`,
    );
    expect(new Set(asked.slice(1).map(({ length }) => length)).size).toBe(1);
    expect(rollout.segments).toHaveLength(3);
  });

  test("long observations are read in pieces, each with the state that the piece before left", async () => {
    const rollout = await run(["abcdefgh", "s1", "s2", "s3", "finish"], {
      context: "state",
      chunkCharacters: 5,
    });
    expect(rollout.turns.map(({ part }) => part)).toEqual([
      undefined,
      "state",
      "state",
      "state",
      undefined,
    ]);
    const pieces = prompts.slice(1, 4).map((prompt) => /It printed: (.*)/.exec(prompt)![1]);
    expect(pieces.join("")).toBe("ran abcdefgh");
    expect(prompts[3]).toContain("You remember: s2");
  });

  test("pieces are whole characters, and nothing is lost", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "é", "😀", "\n") }),
        fc.integer({ min: 1, max: 9 }),
        (text, length) => {
          const pieces = splitIntoChunks(text, length);
          expect(pieces.join("")).toBe(text);
          expect(pieces.every((piece) => piece === Array.from(piece).join(""))).toBe(true);
          expect(pieces.slice(0, -1).every((piece) => Array.from(piece).length === length)).toBe(
            true,
          );
        },
      ),
    );
  });
});
