/** The README of a new project with an agent: its commands, its files, and the way from training to production. */
import type { AgentKind } from "./agent-kinds.ts";

export function createAgentReadme(name: string, kind: AgentKind): string {
  const sections = [
    `# ${name}`,
    `An agent with ${kind.summary}, and everything that trains its model with Bowline and brings the trained model back into
the application. Needs Node 20.19 or newer; no GPU.`,
    COMMANDS,
    `The agent works at a parcel desk. The first model has random weights and imitates mostly hasty demonstrations, so it acts
on the wrong parcel. The reward alone then teaches it to look for the right one.`,
    listFiles(kind),
    useSection(kind),
    CHANGE_SECTION,
    deploySection(kind),
  ];
  return `${sections.join("\n\n")}\n`;
}

const COMMANDS = `\`\`\`sh
npm install
npm test           # check the types, and play tasks with a teacher in place of the model
npm run train      # train a small model (about ten minutes): first by imitation, then by LOOP
npm run eval       # score a model on tasks that training has not seen
npm run report     # write report.html into the run directory
npm run serve      # serve the trained policy through the APIs of OpenAI, Anthropic and Google
npm start          # start the application with the agent
\`\`\``;

function listFiles({ isInProcess }: AgentKind): string {
  const rows = [
    ["agent.ts", "the agent; it knows nothing of training"],
    ["desk.ts", "what the agent works with: data, actions, tools, instructions"],
    ["tools.ts", "how the agent reaches its tools"],
    ["model.ts", "how the agent reaches its model, in training and in production"],
    ...(isInProcess ? [] : [["served-model.ts", "the address, key and name of a model"]]),
    ["tasks.ts", "tasks, the reward, and a teacher of new models"],
    ["episode.ts", "plays one task and returns the reward"],
    ["train.ts", "trains the model"],
    ["eval.ts", "scores a model"],
    ["handler.ts", "the application: from a request to a response"],
    ["app.ts", "the application as a server"],
    ["serverless.ts", "the application for a serverless platform"],
    ["agent.test.ts", "tests of agent, tools, tasks and reward"],
    ["Dockerfile", "an image of the trained policy's server, and one of the application"],
    ["runs/", "a folder per run with configuration, metrics, rollouts and weights"],
  ];
  return [
    "| file | content |",
    "| --- | --- |",
    ...rows.map(([file, content]) => `| \`${file}\` | ${content} |`),
  ].join("\n");
}

function useSection({ isInProcess, variables }: AgentKind): string {
  const address = variables === "OPENAI" ? "http://127.0.0.1:8127/v1" : "http://127.0.0.1:8127";
  const server = `${variables}_BASE_URL=${address} ${variables}_API_KEY=secret`;
  const request = `curl http://127.0.0.1:3000 -d '{ "request": "Ada asks about the lamp." }'`;
  const inProcess = `The policy runs in the process of the application:

\`\`\`sh
POLICY=runs/agent npm run eval
POLICY=runs/agent npm start
${request}
\`\`\`

It can also run behind a server of its own, as any other model does:`;
  const served = `\`\`\`sh
AGENT_KEY=secret npm run serve
${server} npm run eval
${server} npm start
${isInProcess ? "" : `${request}\n`}\`\`\`

With the address and key of a provider, and its model's name in \`MODEL\`, the same commands score and use that model.`;
  return ["## Use the trained policy", ...(isInProcess ? [inProcess] : []), served].join("\n\n");
}

const CHANGE_SECTION = `## What to change

1. Put your agent into \`agent.ts\`, and your services into \`desk.ts\`. In training, each task needs data of its own, because
   many tasks are played at the same time and each must start from the same state whenever it is played again.
2. Write tasks and a reward in \`tasks.ts\`. The reward looks at what was done, not at what the agent says.
3. Train a published model whose chat template knows tools (Qwen2.5, Qwen3, Llama 3) instead of a new one: \`npm run train
   -- runs/large engine.model=models/NAME engine.lora.rank=16 engine.lora.alpha=32\`. Limits of tokens are fields too
   (\`scaffold.maxTokens=4096\`). \`npx bowline config\` explains every field.

A model with random weights needs a teacher or recorded conversations, because it never calls a tool by chance.`;

const deploySection = ({ variables }: AgentKind) => `## Deploy

\`Dockerfile\` makes two images. One serves the trained policy of \`runs/agent\`, and the other runs the application:

\`\`\`sh
docker build --target policy -t policy . && docker run -p 8127:8127 -e AGENT_KEY=secret policy
docker build --target app -t app . && docker run -p 3000:3000 -e ${variables}_BASE_URL=... app
\`\`\`

A serverless platform calls the default export of \`serverless.ts\`. The function reaches its model by
\`${variables}_BASE_URL\`, \`${variables}_API_KEY\` and \`MODEL\`, so the policy runs as a container, and the application
as a function.`;
