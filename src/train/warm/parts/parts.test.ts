/** Tests that demonstrations of parts, such as plans and notes, have the same rows as rollouts with these parts. */
import { describe, expect, test } from "vitest";
import { compactRenderer, compactScaffold } from "../../../agent/index.ts";
import { Rng } from "../../../core/index.ts";
import type { Demonstration } from "../../../spec/index.ts";
import { fakeStepResult, fakeTask } from "../../../testing/fake-episode.ts";
import { fakeEvaluation } from "../../../testing/fake-rollout.ts";
import { loadTokenizer, trainTokenizer } from "../../../text/index.ts";
import { WARM_PARTS, type WarmPart } from "../../config/warm-parts.ts";
import { resolveConfig } from "../../settings/resolve.ts";
import { demonstrationTexts, encodeDemonstrations, selectFittingRows } from "../demonstrations.ts";
import { encodePartDemonstration } from "./part-rollouts.ts";

const apiCall = (api: string) => ({ app: "mail", api, args: {}, status: 200, wrote: false });
const demonstratedTurn = (code: string, text: string, ...apis: string[]) => ({
  code,
  result: fakeStepResult({ text, calls: apis.map(apiCall), finished: apis.includes("finish") }),
});
const demonstration: Demonstration = {
  task: fakeTask({ instruction: "Star the two." }),
  style: "careful",
  turns: [
    demonstratedTurn("var s=list();print(s)", "2", "list"),
    demonstratedTurn("s.forEach(star)", "", "star"),
    demonstratedTurn("finish()", "", "finish"),
  ],
  evaluation: { ...fakeEvaluation([true, true]), checks: [] },
};
const demonstrations = Array.from({ length: 100 }, (_, i) => ({
  ...demonstration,
  task: fakeTask({ id: `train/${i}/0`, instruction: "Star the two." }),
}));

function createAgentForParts(parts: readonly WarmPart[], maxTokens = 512) {
  const config = resolveConfig({
    recipe: "starter/on-policy",
    overrides: {
      "warm.parts": parts,
      "tokenizer.minimumCount": 2,
      "tokenizer.vocabularySize": 300,
    },
  });
  const scaffold = compactScaffold({ maxTurns: 20, maxTurnTokens: 200, maxTokens });
  const tokenizer = loadTokenizer(
    trainTokenizer(demonstrationTexts(demonstrations, scaffold, config), config.tokenizer),
  );
  return { config, tokenizer, agent: { scaffold, renderer: compactRenderer(tokenizer) } };
}

/** Returns each row of a part as text, in which brackets mark what is imitated. */
async function encodeAsText(
  part: WarmPart,
  seed = 1,
  maxTokens?: number,
  repeats = 1,
): Promise<string[]> {
  const { agent, tokenizer } = createAgentForParts([part], maxTokens);
  const context = { ...agent, rng: new Rng(seed), parts: [part], other: demonstration };
  const middle = Array.from({ length: repeats }, () => demonstration.turns[1]!);
  const long = {
    ...demonstration,
    turns: [demonstration.turns[0]!, ...middle, demonstration.turns[2]!],
  };
  const rows = await encodePartDemonstration(part, long, context);
  return rows.map(({ ids, mask }) => {
    let text = "";
    ids.forEach((id, i) => {
      const [now, before] = [mask[i] ?? 0, mask[i - 1] ?? 0];
      if (now !== before) text += now === 1 ? "[" : "]";
      text += tokenizer.decode([id]);
    });
    return text;
  });
}

const PLAN_ROW = "[mail.list, mail.star, mail.finish<|run|>]";

describe("a demonstration with a part", () => {
  test("a plan names the calls to come, and is rewritten as often as the planner plans", async () => {
    const texts = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => encodeAsText("plan", seed)));
    for (const [row] of texts) {
      expect(row).toContain(`Plan the steps.<|code|>${PLAN_ROW}Now act.<|code|>[var s`);
    }
    expect(texts.some(([row]) => row!.includes("[mail.star, mail.finish<|run|>]"))).toBe(true);
  });

  test("a state is written after each observation, and the next code follows it in the same row", async () => {
    const rows = await encodeAsText("state");
    expect(rows).toHaveLength(3);
    expect(rows[1]).toContain("It printed: 2\nWrite what to remember.<|code|>[mail.list 2<|run|>]");
    expect(rows[1]).toMatch(/Now act\.<\|code\|>\[s\.forEach\(star\)<\|run\|>$/);
    expect(rows[2]).toContain("You remember: mail.list 2\n");
    expect(rows[2]).toContain("[mail.list 2; mail.star<|run|>]");
  });

  test("a summary says what happened so far, and a note says what to know next time", async () => {
    const [first, second] = await encodeAsText("summary", 1, 512, 14);
    expect(first).toMatch(/Sum up so far\.<\|code\|>\[mail\.list 2/);
    expect(second).toContain("So far: mail.list 2");
    expect((await encodeAsText("note"))[0]).toContain(
      `Note what to know next time.<|code|>${PLAN_ROW.slice(0, -1)}`,
    );
  });

  test("in a passed demonstration, a judge gives every turn the mark 1, and a user says to go on", async () => {
    const [marks] = await encodeAsText("mark");
    expect(marks!.match(/\[1<\|run\|>/g)).toHaveLength(3);
    const [heard, said] = await encodeAsText("user");
    expect(heard).toContain("user: Go on.<|code|>[s.forEach");
    expect(said).toContain("[Go on.<|run|>");
  });

  test("rules and playbook are rewritten, and prompts end with lines from the memory", async () => {
    const [rules, playbook] = await encodeAsText("texts");
    expect(rules).toMatch(/Write the rules of this world\.<\|code\|>\[Use mail\.list/);
    expect(playbook).toMatch(/\[First mail\.list, then mail\.star, then mail\.finish\.<\|run\|>$/);
    const lines = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => encodeAsText("memory", seed)),
    );
    const all = lines.flat().join("\n");
    for (const start of ["Known: ", "Your rules: ", "From before: "]) expect(all).toContain(start);
  });

  test("the second attempt is imitated, but not the hasty one before it", async () => {
    const [row] = await encodeAsText("again");
    const [context, imitated] = row!.split("That is not right. Try again.");
    expect(context).toContain("finish()");
    expect(context).not.toContain("[");
    expect(imitated).toContain("[var s=list();print(s)<|run|>]");
  });

  test.each(WARM_PARTS)(
    "the part %s has no rows if they exceed the scaffold's limits",
    async (part) => {
      expect(await encodeAsText(part, 1, 16)).toEqual([]);
    },
  );
});

describe("warm.parts", () => {
  const encodeWithParts = async (parts: readonly WarmPart[]) => {
    const { agent, config } = createAgentForParts(parts);
    const rows = encodeDemonstrations(demonstrations, agent);
    return selectFittingRows(demonstrations, rows, agent, config);
  };

  test("without parts, demonstrations are not changed", async () => {
    const { rows, leftOut } = await encodeWithParts([]);
    expect(rows).toHaveLength(100);
    expect(leftOut).toBe(0);
    const { tokenizer } = createAgentForParts([]);
    expect(rows.some(({ ids }) => tokenizer.decode([...ids]).includes("Plan"))).toBe(false);
  });

  test("more than half of the demonstrations show a part, and the same ones in every run", async () => {
    const { rows } = await encodeWithParts(["plan"]);
    const { tokenizer } = createAgentForParts(["plan"]);
    const shows = rows.filter(({ ids }) => tokenizer.decode([...ids]).includes("Plan the steps."));
    expect(shows.length).toBeGreaterThan(50);
    expect(shows.length).toBeLessThan(70);
    expect((await encodeWithParts(["plan"])).rows).toEqual(rows);
  });
});
