import { COMPOSED_SPLITS } from "bowline/goals";
import { WorldUnderTest } from "bowline/testing";
import { Rng } from "bowline/world";
import { describe, expect, test } from "vitest";
import starter from "../starter.ts";
import { drawSurfaceForm } from "./compose.ts";
import { CHALLENGE_APPS, type Signature, signatures, signaturesOf } from "./signatures.ts";

describe("splits", () => {
  test("no signature belongs to two splits, and there are at least thirty signatures", () => {
    const names = signatures.map((signature) => signature.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(30);
    for (const split of COMPOSED_SPLITS)
      expect(signaturesOf(split).length).toBeGreaterThanOrEqual(3);
  });

  test("the actions of a dev or test-normal signature occur in training with at least two other selectors", () => {
    const does = (s: Signature) =>
      `${s.selector.kind}: ${s.actions.map((a) => a.name).join(" + ")}`;
    const trained = signaturesOf("train");
    const selectors = new Set(trained.map((s) => s.selector.name));
    for (const signature of [...signaturesOf("test-normal"), ...signaturesOf("dev")]) {
      expect(selectors).toContain(signature.selector.name);
      const same = trained.filter((s) => does(s) === does(signature));
      expect(same.length, signature.name).toBeGreaterThanOrEqual(2);
    }
  });

  test("most signatures of dev and test-normal consist of pairs of a selector and an action that occur in training", () => {
    const pairs = ({ selector, actions }: Signature) =>
      (actions.length > 0 ? actions.map(({ name }) => name) : ["count"]).map(
        (action) => `${selector.name} > ${action}`,
      );
    const trained = new Set(signaturesOf("train").flatMap(pairs));
    const world = new WorldUnderTest(starter, 1);
    const counts = (["test-normal", "dev"] as const).map((split) => {
      const inside = signaturesOf(split).filter((s) => pairs(s).every((pair) => trained.has(pair)));
      const names = new Set(inside.map(({ name }) => name));
      const tasks = world.tasks(split);
      const covered = tasks.filter(({ signature }) => names.has(signature)).length;
      return [split, inside.length, signaturesOf(split).length, covered, tasks.length];
    });
    // `docs/how-to/everyday.md` states these numbers.
    expect(counts).toEqual([
      ["test-normal", 36, 43, 150, 180],
      ["dev", 23, 27, 156, 180],
    ]);
  });

  test("only test-challenge uses the calendar", () => {
    for (const { split, selector, actions } of signatures) {
      const apps = [selector.app, ...actions.map((action) => action.app)];
      expect(apps.some((app) => CHALLENGE_APPS.includes(app))).toBe(split === "test-challenge");
    }
  });

  test("test instructions combine a sentence and a noun phrase that training never combines", () => {
    const seen = (split: "train" | "test-normal") => {
      const rng = new Rng(3);
      return new Set(
        Array.from({ length: 200 }, () => {
          const { frame, noun } = drawSurfaceForm(rng, split);
          return `${frame}/${noun}`;
        }),
      );
    };
    const [trained, tested] = [seen("train"), seen("test-normal")];
    expect(trained.size).toBe(6);
    expect(tested.size).toBe(3);
    for (const form of tested) expect(trained).not.toContain(form);
  });
});
