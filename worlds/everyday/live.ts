/**
 * The world `everyday/live`: the apps and the life of `everyday`, in which other people act. They answer, agree or
 * decline, are late, change their minds, and some of them try to command the agent. The owner can be asked, and tasks of
 * several sessions share nothing but the agent's notebook.
 *
 * `live/README.md` says how a family of tasks is added.
 */
import type { App, ScenarioRequest } from "bowline/world";
import { defineWorld, makeOwnerActor, ownerApp } from "bowline/world";
import everyday from "./everyday.ts";
import { liveFamilies } from "./live/families/index.ts";
import { listSignatures, makeLiveTasks } from "./live/family.ts";
import { notebook } from "./live/notebook.ts";
import { others, reactions } from "./live/reactions.ts";

/** What people will do is not shown by any API, so its table may belong to any app. */
function addReactionsTable(app: App): App {
  return app.name === "contacts" ? { ...app, tables: [...app.tables, reactions as never] } : app;
}

const SCENARIOS = { train: 96, dev: 24, "test-normal": 60, "test-challenge": 60 } as const;

/** The splits that have families. */
const scenarios = Object.fromEntries(
  Object.entries(SCENARIOS).filter(
    ([split]) => listSignatures(liveFamilies, split as keyof typeof SCENARIOS).length > 0,
  ),
);

export default defineWorld({
  ...everyday,
  name: "everyday/live",
  version: "5",
  apps: [...everyday.apps.map(addReactionsTable), ownerApp, notebook],
  actors: [others, makeOwnerActor()],
  scenarios,
  scenario: (request: ScenarioRequest) => makeLiveTasks(liveFamilies, request),
});
