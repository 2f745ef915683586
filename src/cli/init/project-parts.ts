/** The parts of a new project, and the questions that ask for them. */
import { createInterface } from "node:readline/promises";
import { didYouMean } from "../../core/index.ts";
import { AGENT_KIND_NAMES, AGENT_KINDS } from "./agent-kinds.ts";

export const PROJECT_PARTS = ["world", "agent", "scaffold", "both"] as const;
export type ProjectParts = (typeof PROJECT_PARTS)[number];

/** What a new project contains. `kind` is the kind of the agent, if the project has one. */
export interface ProjectContent {
  readonly parts: ProjectParts;
  readonly kind?: string;
}

export const hasWorld = (parts: ProjectParts) => parts === "world" || parts === "both";
export const hasScaffold = (parts: ProjectParts) => parts === "scaffold" || parts === "both";

/** A question with its possible answers, and the answer that an empty line gives. */
interface Question {
  readonly text: string;
  readonly prompt: string;
  readonly answers: readonly string[];
  readonly usual: string;
}

const PARTS_QUESTION: Question = {
  text: `What do you bring?
  world      your own apps, APIs and tasks
  agent      your own program, which calls a model and tools
  scaffold   your own prompts for the package's agent, in the package's toy world
  both       a world and a scaffold
`,
  prompt: "world, agent, scaffold or both? (world) ",
  answers: PROJECT_PARTS,
  usual: "world",
};

const KIND_QUESTION: Question = {
  text: `What does your agent use?
${AGENT_KIND_NAMES.map((name) => `  ${name.padEnd(14)} ${AGENT_KINDS[name]?.summary}`).join("\n")}
`,
  prompt: `${AGENT_KIND_NAMES.join(", ")}? (ai-sdk) `,
  answers: AGENT_KIND_NAMES,
  usual: "ai-sdk",
};

/**
 * Asks for the parts, unless `parts` are known, and then for the kind of agent. Each question is asked until the answer
 * is valid; an empty line gives the usual answer. Returns undefined when the input ends.
 */
export async function askContent(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  parts?: ProjectParts,
): Promise<ProjectContent | undefined> {
  const lines = createInterface({ input, output });
  // One iterator for all questions, so that no line that arrives early is lost.
  const typed = lines[Symbol.asyncIterator]();
  const ask = async (question: Question): Promise<string | undefined> => {
    output.write(question.text);
    lines.setPrompt(question.prompt);
    for (;;) {
      lines.prompt();
      const { value, done } = await typed.next();
      if (done) return undefined;
      const word = value.trim().toLowerCase() || question.usual;
      if (question.answers.includes(word)) return word;
      output.write(
        `expected ${question.answers.join(", ")}${didYouMean(word, question.answers)}\n`,
      );
    }
  };
  try {
    const chosen = parts ?? ((await ask(PARTS_QUESTION)) as ProjectParts | undefined);
    if (chosen === undefined) return undefined;
    if (chosen !== "agent") return { parts: chosen };
    const kind = await ask(KIND_QUESTION);
    return kind === undefined ? undefined : { parts: chosen, kind };
  } finally {
    lines.close();
  }
}
