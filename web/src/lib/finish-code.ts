/** The cell that ends a task, from what a person chose in the helper: `apis.me.finishTask(...)`. */
export const FINISH_STATUSES = ["done", "impossible"] as const;
export type FinishStatus = (typeof FINISH_STATUSES)[number];

/** An answer that reads as JSON (a number, true, a list) is given as that, anything else as text; empty is no answer. */
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
    // Not JSON: text.
  }
  return JSON.stringify(text);
}
