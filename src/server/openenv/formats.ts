/** The tables of everything that a client of OpenEnv may send: what happens to each field. */
import { z } from "zod";
import { computed, defineFormat, harmless } from "../../core/index.ts";
import { SPLITS } from "../../spec/index.ts";

const TYPE = computed(z.string(), "kind of the message");
const anyObject = z.record(z.string(), z.unknown());

export const messageFormats = {
  reset: defineFormat({
    name: "OpenEnv's message `reset`",
    unknown: "refused",
    fields: { type: TYPE, data: computed(anyObject.nullish(), "which task to open") },
  }),
  step: defineFormat({
    name: "OpenEnv's message `step`",
    unknown: "refused",
    fields: { type: TYPE, data: computed(anyObject, "the action") },
  }),
  state: defineFormat({
    name: "OpenEnv's messages `state` and `close`",
    unknown: "refused",
    fields: { type: TYPE, data: harmless("these messages have no data") },
  }),
  mcp: defineFormat({
    name: "OpenEnv's message `mcp`",
    unknown: "refused",
    fields: { type: TYPE, data: computed(anyObject, "a request of JSON-RPC") },
  }),
};

const metadata = harmless("notes of the client, which change nothing");
const identifier = z.string().max(255);

export const resetFormat = defineFormat({
  name: "OpenEnv's reset",
  unknown: "refused",
  fields: {
    task_id: computed(z.string().nullish(), "the task with this id"),
    split: computed(
      z.enum(SPLITS).nullish(),
      "part of the tasks; the default is the first that is served",
    ),
    index: computed(z.int().min(0).nullish(), "the task at this place of the split"),
    seed: computed(
      z.int().min(0).nullish(),
      "without task_id and index: the task at seed modulo the number of tasks",
    ),
    episode_id: computed(identifier.nullish(), "name of the episode, which `state` returns"),
    metadata,
  },
});

export const codeActionFormat = defineFormat({
  name: "OpenEnv's step with code",
  unknown: "refused",
  fields: { code: computed(z.string(), "a cell of JavaScript to run"), metadata },
});

export const runCellFormat = defineFormat({
  name: "OpenEnv's step with `run_cell`, for remote worlds of Bowline",
  unknown: "refused",
  fields: {
    type: computed(z.literal("run_cell"), "runs a cell and returns its whole result"),
    code: computed(z.string(), "a cell of JavaScript to run"),
    metadata,
  },
});

export const evaluateFormat = defineFormat({
  name: "OpenEnv's step with `evaluate`, for remote worlds of Bowline",
  unknown: "refused",
  fields: {
    type: computed(z.literal("evaluate"), "checks the present state and changes nothing"),
    metadata,
  },
});

export const listToolsFormat = defineFormat({
  name: "OpenEnv's step with `list_tools`",
  unknown: "refused",
  fields: { type: computed(z.literal("list_tools"), "lists the APIs as tools"), metadata },
});

export const callToolFormat = defineFormat({
  name: "OpenEnv's step with `call_tool`",
  unknown: "refused",
  fields: {
    type: computed(z.literal("call_tool"), "calls one API"),
    tool_name: computed(z.string(), "name of the tool, such as mail_send"),
    arguments: computed(anyObject.nullish(), "arguments of the tool"),
    metadata,
  },
});

/** The body of `POST /step`. */
export const stepBodyFormat = defineFormat({
  name: "OpenEnv's body of /step",
  unknown: "refused",
  fields: {
    action: computed(anyObject, "the action"),
    request_id: harmless("name of the request for the client's own use"),
    timeout_s: harmless("a cell has a limit of its own, which ends it earlier"),
  },
});

export const taskQueryFormat = defineFormat({
  name: "OpenEnv's task API",
  unknown: "refused",
  fields: {
    split: computed(z.string(), "part of the tasks"),
    index: computed(z.int().nullish(), "place of a task"),
    start: computed(z.int().nullish(), "first place of a range; default 0"),
    stop: computed(z.int().nullish(), "place after the last of a range; the default is the end"),
  },
});

export const demonstrationFormat = defineFormat({
  name: "a remote world's request for a solution",
  unknown: "refused",
  fields: {
    task_id: computed(z.string(), "the task whose solution is run"),
    style: computed(z.enum(["careful", "hasty"]), "habits of the solution"),
    seed: computed(
      z
        .int()
        .min(0)
        .max(2 ** 32 - 1),
      "seed of the solution's choices",
    ),
  },
});

const meta = harmless("notes of the protocol, such as a progress token; no progress is sent");
const sessionId = computed(z.string().nullish(), "the session that openenv/session/create opened");

export const rpcFormat = defineFormat({
  name: "JSON-RPC of /mcp",
  unknown: "refused",
  fields: {
    jsonrpc: computed(z.literal("2.0"), "version"),
    id: computed(
      z.union([z.string(), z.number()]).nullish(),
      "names the answer; without it there is none",
    ),
    method: computed(z.string(), "what is asked for"),
    params: computed(anyObject.nullish(), "parameters of the method"),
  },
});

export const initializeFormat = defineFormat({
  name: "MCP's `initialize`",
  unknown: "refused",
  fields: {
    protocolVersion: computed(z.string(), "version of MCP that the client prefers"),
    capabilities: harmless("the server asks nothing of the client"),
    clientInfo: harmless("name and version of the client"),
    _meta: meta,
  },
});

export const toolsListFormat = defineFormat({
  name: "MCP's `tools/list`",
  unknown: "refused",
  fields: {
    cursor: harmless("all tools are on one page"),
    session_id: sessionId,
    _meta: meta,
  },
});

export const toolsCallFormat = defineFormat({
  name: "MCP's `tools/call`",
  unknown: "refused",
  fields: {
    name: computed(z.string(), "name of the tool"),
    arguments: computed(anyObject.nullish(), "arguments of the tool"),
    session_id: sessionId,
    _meta: meta,
  },
});

export const openenvFormats = [
  ...Object.values(messageFormats),
  ...[resetFormat, codeActionFormat, runCellFormat, evaluateFormat],
  ...[listToolsFormat, callToolFormat, stepBodyFormat, taskQueryFormat, demonstrationFormat],
  ...[rpcFormat, initializeFormat, toolsListFormat, toolsCallFormat],
];
