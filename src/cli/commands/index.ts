/** Which commands there are, in the order in which help lists them. */
import type { LazyCommand } from "../lazy-commands.ts";

export const COMMANDS: readonly LazyCommand[] = [
  {
    name: "init",
    summary: "write a new project: a world, an agent, or both",
    load: async () => (await import("./init.ts")).defineInitCommand,
  },
  {
    name: "train",
    summary: "train an agent: a setting, and a method",
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
    summary: "explain the configuration: sections, fields, who reads them",
    load: async () => (await import("./config.ts")).defineConfigCommand,
  },
  {
    name: "play",
    summary: "solve a task yourself",
    load: async () => (await import("./play.ts")).definePlayCommand,
  },
  {
    name: "chat",
    summary: "talk to a policy",
    load: async () => (await import("./chat.ts")).defineChatCommand,
  },
  {
    name: "world",
    summary: "list and count a world's apps and tasks, show a task, check that tasks are sound",
    load: async () => (await import("./world.ts")).defineWorldCommand,
  },
  {
    name: "report",
    summary: "make the page about a run",
    load: async () => (await import("./report.ts")).defineReportCommand,
  },
  {
    name: "studio",
    summary: "see runs as they learn, take any rollout apart, continue it by hand",
    load: async () => (await import("./studio.ts")).defineStudioCommand,
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
    name: "doctor",
    summary: "look whether this machine, or a Tinker server, has what training needs",
    load: async () => (await import("./doctor.ts")).defineDoctorCommand,
  },
  {
    name: "serve",
    summary: "serve the embedded engine to clients of the Tinker protocol",
    load: async () => (await import("./serve.ts")).defineServeCommand,
  },
];
