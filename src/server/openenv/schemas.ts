/** What the server says about itself: JSON Schemas of actions and observations, and the list of its paths. */
import type { ApiDescription } from "../../world/index.ts";
import type { TaskList } from "./task-list.ts";

const text = (description: string) => ({ type: "string", description });
const object = (title: string, properties: object, required = Object.keys(properties)) => ({
  ...{ title, type: "object", properties, required },
});
const list = (items: object) => ({ type: "array", items });
const orNull = (schema: object) => ({ anyOf: [schema, { type: "null" }] });

/** The schemas of `GET /schema`. The action has one required field, so some clients send the bare text. */
export const SCHEMAS = {
  action: {
    ...object("CodeAction", {
      code: text(
        "a cell of JavaScript; apis.<app>.<api>({...}) calls an API, print(value) shows a value",
      ),
    }),
    additionalProperties: false,
  },
  observation: object(
    "CodeObservation",
    {
      text: text("exactly what an agent sees of the cell"),
      status: { enum: ["ok", "error", "limit"] },
      limit: text("the limit that ended the cell"),
      calls: list(
        object("Call", { app: text("app"), api: text("API"), status: { type: "integer" } }),
      ),
    },
    ["text", "status", "calls"],
  ),
  reset_observation: object("TaskObservation", {
    text: text("the instruction"),
    instruction: text("the instruction"),
    task: object("Task", {
      ...{ id: text("id of the task"), split: text("part of the tasks") },
      ...{ index: { type: "integer" }, scenario: text("id of the scenario") },
      difficulty: { type: "integer" },
    }),
  }),
  state: object("State", {
    ...{ episode_id: orNull({ type: "string" }), step_count: { type: "integer" } },
    ...{ task_id: orNull({ type: "string" }), split: orNull({ type: "string" }) },
    ...{ index: orNull({ type: "integer" }), done: { type: "boolean" } },
    reward: orNull({ type: "number" }),
  }),
};

/** The answer to `GET /metadata`. The readme lists every API. */
export function describeEnvironment(
  name: string,
  tasks: TaskList,
  apis: readonly ApiDescription[],
): object {
  const splits = tasks.splits.map((split) => `${split} (${tasks.tasksOf(split).length} tasks)`);
  const lines = apis.map(({ app, api, summary, params }) => {
    const names = Object.keys(params.properties ?? {}).join(", ");
    return `* \`apis.${app}.${api}(${names ? `{ ${names} }` : ""})\`: ${summary}`;
  });
  return {
    name,
    description: `A world of Bowline. An action is a cell of JavaScript that calls APIs; apis.me.finishTask({ answer? }) ends the episode. Splits: ${splits.join(", ")}.`,
    readme_content: lines.join("\n"),
    ...{ version: null, author: null, documentation_url: null },
  };
}

const PATHS: { readonly [path: string]: readonly ("get" | "post" | "delete")[] } = {
  "/health": ["get"],
  "/metadata": ["get"],
  "/schema": ["get"],
  "/state": ["get"],
  "/reset": ["post"],
  "/step": ["post"],
  "/mcp": ["post", "delete"],
  "/list_environments": ["get"],
  "/{env_name}/splits": ["get"],
  "/{env_name}/tasks": ["post"],
  "/{env_name}/num_tasks": ["post"],
  "/{env_name}/task": ["post"],
  "/{env_name}/task_range": ["post"],
  "/{env_name}/world": ["get"],
  "/{env_name}/demonstration": ["post"],
};

/** The answer to `GET /openapi.json`. Its version is that of OpenEnv's HTTP protocol. */
export function describePaths(title: string): object {
  const done = { responses: { 200: { description: "done" } } };
  const paths = Object.entries(PATHS).map(([path, methods]) => [
    path,
    Object.fromEntries(methods.map((method) => [method, done])),
  ]);
  return { openapi: "3.1.0", info: { title, version: "1.0.0" }, paths: Object.fromEntries(paths) };
}
