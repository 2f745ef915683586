/** The address of the page of a task: what became of it in runs, before, during and after training. */
import { buildAddress } from "./address.ts";
import { formatTerm } from "./query-text.ts";

export function taskAddress(runs: readonly string[], task: string): string {
  return buildAddress(["explore"], { run: runs, q: formatTerm("task", task), group: "task" });
}
