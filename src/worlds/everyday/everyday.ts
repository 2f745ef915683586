/**
 * The Everyday world: fourteen apps of daily life, one owner with a coherent past, and goals from a full algebra.
 *
 * `everyday/starter` is its small sister for models trained from nothing; this one is for models that can read. Apps are
 * documented so that `docs` alone is enough to use them, and most need a login.
 */
import type { Rng } from "../../core/index.ts";
import { composeScenario, Schedule } from "../../goals/index.ts";
import {
  accounts,
  defineWorld,
  type ScenarioRequest,
  type Task,
  type Writer,
} from "../../world/index.ts";
import { fullApps } from "./apps/full.ts";
import { handmadeScenario } from "./handmade/index.ts";
import { LANGUAGE } from "./language.ts";
import { addTraces, makeLife, OWNER } from "./life/index.ts";
import { allParts } from "./parts/index.ts";
import { NOW, peopleOf } from "./population.ts";

/** Apps that no training, dev or test-normal task touches. */
export const CHALLENGE_APPS: readonly string[] = ["split", "travel", "photos"];

export const schedule = new Schedule(allParts, CHALLENGE_APPS);

const LOGINS = new Set(fullApps.filter(({ login }) => login).map(({ name }) => name));

function scenario(request: ScenarioRequest): readonly [Task, Task, Task] {
  const { split, index, base, rng, dials, scratch } = request;
  if (split === "handmade") return handmadeScenario(request);
  const common = {
    split,
    people: peopleOf(base, split),
    language: LANGUAGE,
    scratch,
    paraphrase: dials.paraphrase,
    logins: dials.logins ? LOGINS : new Set<string>(),
    shortSessions: dials.clockDriftMs > 0,
  };
  for (const shape of schedule.candidates(split, index)) {
    const tasks = composeScenario({ ...common, rng: rng.child(shape.type) }, shape);
    if (tasks) return tasks;
  }
  throw new Error("no signature fits the population");
}

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
  scenario,
});
