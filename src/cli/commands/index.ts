/** All commands of `bowline`, in the order in which help lists them. */
import type { LazyCommand } from "../lazy-commands.ts";

export const COMMANDS: readonly LazyCommand[] = [
  {
    name: "init",
    summary: "write a new project: a world, an agent, or both",
    load: async () => (await import("./init.ts")).defineInitCommand,
  },
  {
    name: "train",
    summary: "train an agent on a setting by a method",
    load: async () => (await import("./train.ts")).defineTrainCommand,
  },
  {
    name: "eval",
    summary: "score a policy",
    load: async () => (await import("./eval.ts")).defineEvalCommand,
  },
  {
    name: "compare",
    summary: "compare methods on a setting at an equal budget of rollouts",
    load: async () => (await import("./compare.ts")).defineCompareCommand,
  },
  {
    name: "config",
    summary: "explain the sections and fields of the configuration",
    load: async () => (await import("./config.ts")).defineConfigCommand,
  },
  {
    name: "play",
    summary: "solve a task yourself",
    load: async () => (await import("./play.ts")).definePlayCommand,
  },
  {
    name: "chat",
    summary: "chat with a policy",
    load: async () => (await import("./chat.ts")).defineChatCommand,
  },
  {
    name: "world",
    summary: "list a world's apps and tasks, show a task, check that tasks are sound",
    load: async () => (await import("./world.ts")).defineWorldCommand,
  },
  {
    name: "report",
    summary: "write a report page about a run",
    load: async () => (await import("./report.ts")).defineReportCommand,
  },
  {
    name: "rollouts",
    summary: "find rollouts by a query, such as status:422 outcome:finished",
    load: async () => (await import("./rollouts.ts")).defineRolloutsCommand,
  },
  {
    name: "diagnose",
    summary: "say why a run learns slowly or cannot learn",
    load: async () => (await import("./diagnose.ts")).defineDiagnoseCommand,
  },
  {
    name: "studio",
    summary: "watch runs in the browser, inspect every rollout, continue it by hand",
    load: async () => (await import("./studio.ts")).defineStudioCommand,
  },
  {
    name: "trust",
    summary: "allow the modules that somebody else's run names, list them, or end the trust",
    load: async () => (await import("./trust.ts")).defineTrustCommand,
  },
  {
    name: "export",
    summary: "write a policy for other programs",
    load: async () => (await import("./export.ts")).defineExportCommand,
  },
  {
    name: "bench",
    summary: "measure speed and memory on this machine",
    load: async () => (await import("./bench.ts")).defineBenchCommand,
  },
  {
    name: "plan",
    summary: "compute what a run needs: tokens, cores, memory, network and money",
    load: async () => (await import("./plan.ts")).definePlanCommand,
  },
  {
    name: "doctor",
    summary: "check whether this machine, or a Tinker server, has what training needs",
    load: async () => (await import("./doctor.ts")).defineDoctorCommand,
  },
  {
    name: "serve",
    summary: "serve a policy to agents, or the embedded engine to clients of the Tinker protocol",
    load: async () => (await import("./serve.ts")).defineServeCommand,
  },
];
