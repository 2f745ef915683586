/** The pages of the site in reading order. A test compares the list with the files in `docs/`. */

export interface Section {
  readonly title: string;
  /** Paths in `docs/` without `.md`. */
  readonly pages: readonly string[];
}

export const sections: readonly Section[] = [
  {
    title: "Guide",
    pages: [
      "guide/install",
      "guide/first-run",
      "guide/first-world",
      "guide/first-agent",
      "guide/train",
      "guide/evaluate",
      "guide/use",
      "guide/report",
      "guide/studio",
      "guide/resume",
      "laptop",
      "guide/real-models",
      "guide/remote-engines",
      "agents",
    ],
  },
  {
    title: "How to",
    pages: [
      "goals",
      "how-to/resources",
      "how-to/extend",
      "how-to/testing",
      "how-to/compare",
      "how-to/action-spaces",
      "how-to/hosted",
      "how-to/everyday",
      "how-to/export",
      "how-to/tinker-server",
      "how-to/gateway",
    ],
  },
  {
    title: "Reference",
    pages: [
      "reference/commands",
      "reference/configuration",
      "reference/run-directory",
      "reference/studio-api",
      "reference/tinker",
    ],
  },
  {
    title: "Algorithms",
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
  { title: "Inside", pages: ["architecture", "findings", "log"] },
  {
    title: "Decisions",
    pages: [
      "decisions/methods-as-values",
      "decisions/two-opinions-on-a-task",
      "decisions/goals-kit",
      "decisions/two-algebras",
      "decisions/tokens-for-small-models",
      "decisions/initial-weights",
      "decisions/row-stable-products",
      "decisions/prefixes",
      "decisions/sandbox-images",
      "decisions/init",
      "decisions/run-lock",
      "decisions/world-of-a-run",
      "decisions/fitting-scaffold",
      "decisions/action-spaces",
      "decisions/dependencies",
      "decisions/documentation",
      "decisions/studio",
    ],
  },
];
