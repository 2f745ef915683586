/** Builds the cell that ends a task, `apis.me.finishTask(...)`, from the choices in a form. */
export const FINISH_STATUSES = ["done", "impossible"] as const;
export type FinishStatus = (typeof FINISH_STATUSES)[number];

/**
 * Writes an answer that is JSON (a number, true, a list) unchanged, and any other answer as a string. An empty text
 * means no answer.
 */
export function buildFinishCode(status: FinishStatus, answer: string): string {
  const fields = [
    ...(status === "done" ? [] : [`status: ${JSON.stringify(status)}`]),
    ...(answer.trim() === "" ? [] : [`answer: ${toLiteral(answer.trim())}`]),
  ];
  return `apis.me.finishTask(${fields.length === 0 ? "" : `{ ${fields.join(", ")} }`})`;
}

function toLiteral(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const isPlain = ["string", "number", "boolean"].includes(typeof value);
    if (isPlain || Array.isArray(value)) return JSON.stringify(value);
  } catch {
    // Text that is not JSON becomes a string.
  }
  return JSON.stringify(text);
}
