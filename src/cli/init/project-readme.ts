/** The README of a new project, with its commands, its files, and what to change first. */
import { hasScaffold, hasWorld, type ProjectParts } from "./project-parts.ts";

export function createReadme(name: string, parts: ProjectParts): string {
  const sections = [
    `# ${name}`,
    `${describeParts(parts)}, trained by reinforcement learning with Bowline. Needs Node 20.19 or newer; no GPU.`,
    commandsSection(parts),
    filesSection(parts),
    "## What to change",
    ...(hasWorld(parts) ? [WORLD_SECTION] : []),
    ...(hasScaffold(parts) ? [SCAFFOLD_SECTION] : []),
    RUNS_SECTION,
  ];
  return `${sections.join("\n\n")}\n`;
}

const describeParts = (parts: ProjectParts) =>
  [
    ...(hasWorld(parts) ? ["a helpdesk as a world for agents"] : []),
    ...(hasScaffold(parts) ? ["a scaffold of your own"] : []),
  ]
    .join(", and ")
    .replace(/^a/, "A");

const commandsSection = (parts: ProjectParts) => `\`\`\`sh
npm install
npm test           # check the types and run the tests
npm run check      # check the tasks: solutions pass, doing nothing fails, mistakes fail, other solutions pass
npm run train      # train a small policy (a minute or two): first by imitation, then by LOOP
npm run eval       # score the policy on the tasks of test-normal
npm run report     # write report.html into the run directory: curves, scores before and after, rollouts
\`\`\`

${
  hasWorld(parts)
    ? `The policy starts from random weights. First it imitates mostly hasty solutions, after which it solves about 5% of the
tasks of \`test-normal\`; their pairs of customer and topic never occur in training. The reward alone then raises this to
about 90% (77 to 98% over three seeds).`
    : `The policy starts from random weights. First it imitates mostly hasty solutions, after which it solves few tasks. The
reward alone then teaches it to solve nearly all of them.`
}`;

function filesSection(parts: ProjectParts): string {
  const rows = [
    ...(hasWorld(parts)
      ? [
          ["world.ts", "tables, APIs and tasks; its comments explain how to write a world"],
          ["world.test.ts", "tests of the tasks and the APIs"],
        ]
      : []),
    ...(hasScaffold(parts)
      ? [
          ["scaffold.ts", "how a task becomes a prompt, and what the policy sees after each turn"],
          ["scaffold.test.ts", "tests of the scaffold's messages"],
        ]
      : []),
    ["runs/", "a folder per run with configuration, metrics, rollouts, weights and report"],
  ];
  return [
    "| file | content |",
    "| --- | --- |",
    ...rows.map(([file, content]) => `| \`${file}\` | ${content} |`),
  ].join("\n");
}

const WORLD_SECTION = `To get to know the world, solve a task yourself, and look at a task with its solution and checks:

\`\`\`sh
npx bowline play --world ./world.ts
npx bowline world show --world ./world.ts
\`\`\`

Then add a kind of task to \`world.ts\`: a function that returns an instruction, the intended changes, a careful solution
and a hasty one. Add the function to \`TASK_MAKERS\`. \`npm run check\` finds mistakes in it.`;

const SCAFFOLD_SECTION = `To change the prompts, edit \`scaffold.ts\`: \`start\` returns the first messages to the policy, \`observe\` the message after
each turn. Try other words, less text, or the number of remaining turns (from \`place\`).`;

const RUNS_SECTION = `A run can only be continued with the world, scaffold and configuration that it began with. After a change, name
another run directory. Any field of the configuration can be set (\`npx bowline config\` explains them):

\`\`\`sh
npm run train -- --out runs/second --algo.iterations 30
npm run eval -- runs/second
\`\`\``;
