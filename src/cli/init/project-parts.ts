/** The parts of a new project (a world, an agent, or both), and the question that asks for them. */
import { createInterface } from "node:readline/promises";
import { didYouMean } from "../../core/index.ts";

export const PROJECT_PARTS = ["world", "agent", "both"] as const;
export type ProjectParts = (typeof PROJECT_PARTS)[number];

export const hasWorld = (parts: ProjectParts) => parts !== "agent";
export const hasAgent = (parts: ProjectParts) => parts !== "world";

const QUESTION = `What do you bring?
  world   your own apps, APIs and tasks, for the package's agent
  agent   your own agent, in the package's toy world
  both
`;

/** Asks until the answer is valid; an empty line means "world". Returns undefined when the input ends. */
export async function askParts(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<ProjectParts | undefined> {
  output.write(QUESTION);
  const lines = createInterface({ input, output, prompt: "world, agent or both? (world) " });
  try {
    lines.prompt();
    for await (const line of lines) {
      const word = line.trim().toLowerCase() || "world";
      const parts = PROJECT_PARTS.find((name) => name === word);
      if (parts !== undefined) return parts;
      output.write(`expected ${PROJECT_PARTS.join(", ")}${didYouMean(word, PROJECT_PARTS)}\n`);
      lines.prompt();
    }
    return undefined;
  } finally {
    lines.close();
  }
}
