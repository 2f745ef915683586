/** What a new project brings of its own, and the question that finds out. */
import { createInterface } from "node:readline/promises";
import { didYouMean } from "../../core/index.ts";

export const PROJECT_PARTS = ["world", "agent", "both"] as const;
export type ProjectParts = (typeof PROJECT_PARTS)[number];

export const hasWorld = (parts: ProjectParts) => parts !== "agent";
export const hasAgent = (parts: ProjectParts) => parts !== "world";

const QUESTION = `What do you bring?
  world   apps, APIs and tasks of your own, for the package's agent
  agent   what your own agent is shown, in the package's toy world
  both
`;

/** Asks until there is an answer; an empty line is the first. Undefined when the input ends, as Ctrl-C and Ctrl-D do. */
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
