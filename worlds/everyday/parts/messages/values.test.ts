import { Rng } from "bowline/world";
import { describe, expect, test } from "vitest";
import type { Happening } from "../../life/life.ts";
import { describeCost, makePaidSentence, makeStartSentence } from "../../life/message-lines.ts";
import { centsIn } from "./texts.ts";
import { AHEAD, BILL, DAY } from "./values.ts";

const happening: Happening = {
  kind: "dinner",
  part: "train",
  title: "Dinner at the Copper Fox",
  place: "Copper Fox",
  city: "Oslo",
  day: "2026-03-20",
  time: "19:30",
  nights: 0,
  host: null,
  people: [],
  costs: [],
};

describe("facts are found in prose, however it is phrased", () => {
  test("what was paid and for what", () => {
    for (let seed = 0; seed < 30; seed++) {
      const cost = { what: "boat hire", cents: 1205 + seed, payer: null };
      const line = makePaidSentence(new Rng(seed), happening, cost);
      expect(centsIn(line)).toBe(cost.cents);
      expect(BILL.exec(line)![0]).toBe(describeCost(cost, happening));
    }
    expect(centsIn("Did you pay the rent this month?")).toBe(0);
  });

  test("when something starts", () => {
    for (let seed = 0; seed < 30; seed++) {
      const line = makeStartSentence(new Rng(seed), happening);
      expect(DAY.exec(line)![0]).toBe("2026-03-20");
      expect(AHEAD.exec(line)![0]).toBe(happening.title);
      expect(line).toContain("19:30");
    }
  });
});
