/** `bowline world`: looking into a world, and proving that its tasks mean what they say. One file a subcommand. */
import type { Command } from "commander";
import type { Session } from "../session.ts";
import { addWorldCheck } from "./world-check.ts";
import { addWorldList } from "./world-list.ts";
import { addWorldShow } from "./world-show.ts";
import { addWorldStats } from "./world-stats.ts";

export function addWorld(program: Command, session: Session): void {
  const world = program
    .command("world")
    .summary("list and count a world's apps and tasks, show a task, check that tasks are sound")
    .description("Look into a world.")
    .addHelpText("after", "\nExample:\n  bowline world list --world everyday/starter");
  for (const add of [addWorldList, addWorldShow, addWorldCheck, addWorldStats]) add(world, session);
}
