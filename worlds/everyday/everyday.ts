/**
 * The Everyday world: fourteen apps of daily life, one owner with a coherent past, and goals from a full algebra.
 *
 * `everyday/starter` is its small sister for models trained from nothing; this one is for models that can read. Apps are
 * documented so that `docs` alone is enough to use them, and most need a login.
 */

import { scenarioComposer } from "bowline/goals";
import type { Rng } from "bowline/world";
import { accounts, defineWorld, type Writer } from "bowline/world";
import { fullApps } from "./apps/full.ts";
import { handmadeScenario } from "./handmade/index.ts";
import { LANGUAGE } from "./language.ts";
import { addTraces, makeLife, OWNER } from "./life/index.ts";
import { allParts } from "./parts/index.ts";
import { NOW, peopleOf } from "./population.ts";

/** Apps that no training, dev or test-normal task touches. */
export const CHALLENGE_APPS: readonly string[] = ["split", "travel", "photos"];

const LOGINS = new Set(fullApps.filter(({ login }) => login).map(({ name }) => name));

const scenario = scenarioComposer({
  parts: allParts,
  language: LANGUAGE,
  challenge: CHALLENGE_APPS,
  people: peopleOf,
  logins: LOGINS,
});

export const { schedule } = scenario;

const WORDS = "amber birch cedar delta ember fjord glade heron inlet juniper".split(" ");

/** One account for each app that needs a login; no two passwords are equal. */
function addAccounts(db: Writer, rng: Rng): void {
  const words = rng.shuffle(WORDS);
  for (const [i, app] of [...LOGINS].entries()) {
    const password = `${words[i % words.length]}-${rng.integer(1000, 9999)}`;
    db.insert(accounts, { app, username: OWNER.email, password });
  }
}

export default defineWorld({
  name: "everyday",
  version: "2",
  now: NOW,
  apps: fullApps,
  examples: true,
  scenarios: { train: 180, dev: 40, "test-normal": 60, "test-challenge": 140, handmade: 60 },
  populate: (db, rng, dials) => {
    const life = makeLife(db, rng.child("life"), dials.distractors);
    addTraces(db, rng.child("traces"), life);
    addAccounts(db, rng.child("accounts"));
    return OWNER;
  },
  scenario: (request) =>
    request.split === "handmade" ? handmadeScenario(request) : scenario(request),
});
