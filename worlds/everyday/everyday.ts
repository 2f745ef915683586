/**
 * The Everyday world: fourteen apps of daily life, one owner with a coherent past, and goals that are composed by the
 * goals kit.
 *
 * `everyday/starter` is a smaller world for models that are trained from nothing; `everyday` is for models that can
 * read. The documentation that the app `docs` shows is sufficient to use all apps, and most apps need a login.
 */

import { scenarioComposer } from "bowline/goals";
import type { Profile, Rng } from "bowline/world";
import { accounts, defineWorld, type Writer } from "bowline/world";
import { fullApps } from "./apps/full.ts";
import { makeHandmadeTasks } from "./handmade/index.ts";
import { LANGUAGE } from "./language.ts";
import { addTraces, makeLife } from "./life/index.ts";
import { drawPasswords, varyScenario } from "./life/owner.ts";
import { lifeRules } from "./life/rules/index.ts";
import { allParts } from "./parts/index.ts";
import { NOW, peopleOf } from "./population.ts";
import { compareReading } from "./reader/agreement.ts";

/** The apps that no training, dev or test-normal task uses. */
export const CHALLENGE_APPS: readonly string[] = ["split", "travel", "photos"];

const LOGINS = new Set(fullApps.filter(({ login }) => login).map(({ name }) => name));

const scenario = scenarioComposer({
  parts: allParts,
  language: LANGUAGE,
  challenge: CHALLENGE_APPS,
  people: peopleOf,
  isMisread: (task, db, scratch) => compareReading(task, db, scratch) === "differs",
});

export const { schedule } = scenario;

/** Adds an account for each app that needs a login. No two passwords are equal. */
function addAccounts(db: Writer, rng: Rng, { email }: Profile): void {
  const passwords = drawPasswords(rng, LOGINS.size);
  for (const [i, app] of [...LOGINS].entries()) {
    db.insert(accounts, { app, username: email, password: passwords[i]! });
  }
}

export default defineWorld({
  name: "everyday",
  version: "8",
  now: NOW,
  apps: fullApps,
  examples: true,
  life: lifeRules,
  scenarios: { train: 180, dev: 40, "test-normal": 60, "test-challenge": 140, handmade: 60 },
  populate: (db, rng, dials) => {
    const life = makeLife(db, rng.child("life"), dials.distractors);
    addTraces(db, rng.child("traces"), life);
    addAccounts(db, rng.child("accounts"), life.owner);
    return life.owner;
  },
  vary: varyScenario,
  scenario: (request) =>
    request.split === "handmade" ? makeHandmadeTasks(request) : scenario(request),
});
