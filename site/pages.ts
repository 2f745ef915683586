/**
 * The pages of the documentation, grouped by what a reader wants to do. A test compares this list with the files in
 * `docs/`. Generated pages exist only on the site. Pages about Bowline's own design exist only in the repository.
 */

export interface PageSection {
  readonly title: string;
  /** The paths of the pages in `docs/`, without `.md`. */
  readonly pages: readonly string[];
  /** Pages of the site that `site/reference` generates from the program. */
  readonly made?: readonly string[];
  /** True for pages that the package does not contain. */
  readonly isInside?: boolean;
}

export const sections: readonly PageSection[] = [
  { title: "Start", pages: ["guide/install", "guide/first-run", "questions"] },
  {
    title: "Train the agent you have",
    pages: [
      "agents",
      "how-to/production-agent",
      "how-to/recordings",
      "how-to/connect",
      "how-to/environments",
      "how-to/harnesses",
      "how-to/gateway",
      "guide/use",
    ],
  },
  {
    title: "Make a world",
    pages: [
      "guide/first-world",
      "how-to/declarations",
      "goals",
      "how-to/resources",
      "how-to/testing",
      "how-to/everyday",
      "everyday",
    ],
  },
  {
    title: "Train and look at a run",
    pages: [
      "guide/train",
      "guide/first-agent",
      "guide/evaluate",
      "guide/report",
      "guide/studio",
      "guide/resume",
      "how-to/diagnose",
      "how-to/extend",
      "how-to/action-spaces",
    ],
  },
  {
    title: "Evaluate a hosted model",
    pages: ["how-to/hosted"],
  },
  {
    title: "A real model: laptop, GPU, cluster",
    pages: [
      "laptop",
      "how-to/machines",
      "how-to/gpu",
      "guide/real-models",
      "guide/remote-engines",
      "how-to/tinker-server",
      "how-to/scale",
      "how-to/openenv",
      "how-to/foreign-worlds",
      "how-to/people-and-time",
      "how-to/http-openenv-nemo",
      "how-to/appworld",
      "how-to/policies",
      "how-to/export",
      "reference/tinker",
    ],
  },
  {
    title: "Understand LOOP and its relatives",
    pages: [
      "algorithms/loop",
      "algorithms/ratio-spans",
      "algorithms/leave-one-out-on-policy",
      "algorithms/group-normalised",
      "algorithms/many-rollouts",
      "algorithms/learned-critic",
      "algorithms/imitation",
      "algorithms/preference",
      "algorithms/mechanisms",
      "algorithms/rollout-shapes",
      "algorithms/systems",
    ],
  },
  { title: "Compare methods", pages: ["how-to/compare", "findings"] },
  {
    title: "Reference",
    pages: ["reliability", "reference/run-directory", "reference/formats"],
    made: [
      "reference/commands",
      "reference/configuration",
      "reference/studio-api",
      "reference/requests",
      "reference/tokenizers",
    ],
  },
  {
    title: "How Bowline is made",
    isInside: true,
    pages: [
      "architecture",
      "log",
      "decisions/methods-as-values",
      "decisions/two-opinions-on-a-task",
      "decisions/goals-kit",
      "decisions/two-algebras",
      "decisions/tokens-for-small-models",
      "decisions/exact-tokenizers",
      "decisions/initial-weights",
      "decisions/row-stable-products",
      "decisions/prefixes",
      "decisions/sandbox-images",
      "decisions/metered-sandbox",
      "decisions/init",
      "decisions/run-lock",
      "decisions/trust",
      "decisions/world-of-a-run",
      "decisions/fitting-scaffold",
      "decisions/chat-templates",
      "decisions/action-spaces",
      "decisions/task-sessions",
      "decisions/dependencies",
      "decisions/documentation",
      "decisions/studio",
    ],
  },
];
