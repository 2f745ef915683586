/** The README of a new project: its commands, its files, and what to change first. */
import { hasAgent, hasWorld, type ProjectParts } from "./project-parts.ts";

export function createReadme(name: string, parts: ProjectParts): string {
  const sections = [
    `# ${name}`,
    `${DESCRIPTIONS[parts]}, trained by reinforcement learning with Bowline. Needs Node 20.19 or newer; no GPU.`,
    commandsSection(parts),
    filesSection(parts),
    "## What to change",
    ...(hasWorld(parts) ? [WORLD_SECTION] : []),
    ...(hasAgent(parts) ? [AGENT_SECTION] : []),
    RUNS_SECTION,
  ];
  return `${sections.join("\n\n")}\n`;
}

const DESCRIPTIONS: Readonly<Record<ProjectParts, string>> = {
  world: "A helpdesk as a world for agents",
  agent: "An agent of one's own",
  both: "A helpdesk as a world for agents, and an agent of one's own",
};

const commandsSection = (parts: ProjectParts) => `\`\`\`sh
npm install
npm test           # the types, and the tests
npm run check      # proves the tasks: solutions pass, doing nothing fails, mistakes fail, other right ways pass
npm run train      # a minute or two: a small policy imitates, then learns by trying (LOOP)
npm run eval       # scores it on the tasks of test-normal
npm run report     # writes report.html into the run's folder: curves, before and after, rollouts
\`\`\`

${
  hasWorld(parts)
    ? `The policy starts from random weights. It imitates mostly hasty solutions first, which solve about 5% of the tasks of
\`test-normal\`; these are about pairs of customer and topic that training never shows. The reward alone takes it to about
90% (77 to 98% over three seeds).`
    : `The policy starts from random weights. It imitates mostly hasty solutions first, which solve few of the tasks; the reward alone
takes it to nearly all of them.`
}`;

function filesSection(parts: ProjectParts): string {
  const rows = [
    ...(hasWorld(parts)
      ? [
          ["world.ts", "tables, APIs, tasks; its comments say how a world is written"],
          ["world.test.ts", "that the tasks are sound, and what the APIs say"],
        ]
      : []),
    ...(hasAgent(parts)
      ? [
          ["agent.ts", "how a task becomes a prompt, and what the policy is shown after each turn"],
          ["agent.test.ts", "that it says what it should"],
        ]
      : []),
    ["runs/", "a folder for each run: configuration, metrics, rollouts, weights, the report"],
  ];
  return [
    "| file | is |",
    "| --- | --- |",
    ...rows.map(([file, is]) => `| \`${file}\` | ${is} |`),
  ].join("\n");
}

const WORLD_SECTION = `The world. Solve a task yourself, and look at one with its solution and its checks:

\`\`\`sh
npx bowline play --world ./world.ts
npx bowline world show --world ./world.ts
\`\`\`

Then add a kind of task to \`world.ts\`: an instruction, the changes that it wants, a careful solution and a hasty one, and its name in
\`GOALS\`. \`npm run check\` says what is wrong with it.`;

const AGENT_SECTION = `The agent. \`observe\` in \`agent.ts\` is what the policy is shown after each turn, \`start\` what it is shown first. Try other words, less
text, or how many turns are left (\`place\`).`;

const RUNS_SECTION = `A run belongs to what it was trained with. After a change, name another folder, and any field of the configuration
(\`npx bowline config\` explains them):

\`\`\`sh
npm run train -- --out runs/second --algo.iterations 30
npm run eval -- runs/second
\`\`\``;
