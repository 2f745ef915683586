import { Rng } from "bowline/world";
import { describe, expect, test } from "vitest";
import type { Happening } from "../../life/life.ts";
import { describeCost, makePaidSentence, makeStartSentence } from "../../life/message-lines.ts";
import { DAY_PATTERN, EVENT_PATTERN, PAID_THING_PATTERN } from "./sources-and-facts.ts";
import { centsInText } from "./texts.ts";

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

describe("patterns find facts in messages of every wording", () => {
  test("the amount and the thing paid for are found in a message about a payment", () => {
    for (let seed = 0; seed < 30; seed++) {
      const cost = { what: "boat hire", cents: 1205 + seed, payer: null };
      const line = makePaidSentence(new Rng(seed), happening, cost);
      expect(centsInText(line)).toBe(cost.cents);
      expect(PAID_THING_PATTERN.exec(line)![0]).toBe(describeCost(cost, happening));
    }
    expect(centsInText("Did you pay the rent this month?")).toBe(0);
  });

  test("the day and the event are found in a message about a start", () => {
    for (let seed = 0; seed < 30; seed++) {
      const line = makeStartSentence(new Rng(seed), happening);
      expect(DAY_PATTERN.exec(line)![0]).toBe("2026-03-20");
      expect(EVENT_PATTERN.exec(line)![0]).toBe(happening.title);
      expect(line).toContain("19:30");
    }
  });
});
