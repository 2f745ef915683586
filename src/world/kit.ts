/**
 * What is needed to define a world, for the package's `bowline/world`. The parts that are needed only to run a world
 * (sandbox, episodes, workers, proofs) are imported when a world is opened or checked.
 */
import type {
  checkLife as CheckLife,
  checkWorld as CheckWorld,
  openWorld as OpenWorld,
} from "./pool/index.ts";
import type { createSandbox as CreateSandbox } from "./sandbox/index.ts";

export { atMostOnce, inOrder, never, type Writing, writes, writtenRows } from "./actors/rules.ts";
export { type Account, accounts } from "./api/me.ts";
export { pageParam, pageSchema, takePage } from "./api/page.ts";
export { formatType, type JsonSchema } from "./api/types.ts";
export { type AppWorldDefinition, defineAppWorld } from "./appworld/index.ts";
export type {
  HandlerException,
  LifeReport,
  LifeRuleReport,
  SolutionMeasure,
  SplitFacts,
  TaskReport,
  WorldReport,
} from "./check/index.ts";
export { isSameAnswer } from "./checks/answer.ts";
export { comparedText } from "./checks/compared-text.ts";
export * from "./define.ts";
export { resolveDials } from "./dials/resolve.ts";
export { makeLimitResult, makeStepResult } from "./episode/observation.ts";
export {
  type AsyncApi,
  type AsyncAppsDefinition,
  asyncApps,
} from "./foreign/async-apps.ts";
export * from "./foreign/define.ts";
export { type DefinedForeignWorld, defineForeignWorld } from "./foreign/define-foreign-world.ts";
export { type CallOperation, type HttpApi, httpApps } from "./foreign/http/http-apps.ts";
export { toIdentifier } from "./foreign/identifiers.ts";
export { inlineReferences } from "./foreign/inline-references.ts";
export { mcpApps } from "./foreign/mcp/mcp-apps.ts";
export type {
  CallTool,
  HttpServer,
  McpAppsOptions,
  McpServer,
  StdioServer,
} from "./foreign/mcp/mcp-servers.ts";
export {
  type NemoRow,
  type NemoSource,
  type NemoTool,
  nemoApps,
} from "./foreign/nemo/nemo-apps.ts";
export { type OpenEnvSource, openenvApps } from "./foreign/openenv/openenv-apps.ts";
export type { Inventory } from "./inspect/index.ts";
export type { OpenedWorld, OpenSelfOptions, SelfOpeningWorld } from "./opened-world.ts";
export * from "./owner/index.ts";
export type {
  AllSplitsReport,
  CheckLifeOptions,
  CheckWorldOptions,
  OpenWorldOptions,
} from "./pool/index.ts";
export { remoteWorld } from "./remote/define-remote-world.ts";
export type { RemoteWorldOptions } from "./remote/open-remote-world.ts";

export type {
  CallRecord,
  CellRecord,
  CellResult,
  HostCall,
  HostReply,
  Repl,
  ReplOptions,
  Sandbox,
  SandboxLimits,
} from "./sandbox/types.ts";

/**
 * Returns a sandbox for the agent's code, for adapters that implement `World` themselves. One sandbox is enough for any
 * number of REPLs.
 */
export const createSandbox: typeof CreateSandbox = async () => {
  const sandbox = await import("./sandbox/index.ts");
  return sandbox.createSandbox();
};

/**
 * Opens the world of a module URL. Its episodes live in worker threads. Rejects with a `world` error when the module
 * exports no world, and with a `config` error for a wrong option.
 */
export const openWorld: typeof OpenWorld = async (...args) => {
  const pool = await import("./pool/index.ts");
  return pool.openWorld(...args);
};

/**
 * Proves tasks of one split or of all splits: solutions pass, doing nothing fails, mutants fail, equivalents pass.
 * Rejects with a `config` error for a wrong option, and with a `world` error when the world cannot be opened or has no
 * solutions.
 */
export const checkWorld: typeof CheckWorld = async (...args: Parameters<typeof CheckWorld>) => {
  const pool = await import("./pool/index.ts");
  return pool.checkWorld(...args) as never;
};

/**
 * Tests a world's rules of life over the populations of several seeds. Rejects with a `config` error for a wrong option
 * or a world without rules of life, and with a `world` error when the world cannot be loaded.
 */
export const checkLife: typeof CheckLife = async (...args) => {
  const pool = await import("./pool/index.ts");
  return pool.checkLife(...args);
};
