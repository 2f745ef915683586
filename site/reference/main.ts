/**
 * Writes the pages of the site's reference that are made from the program: commands, configuration, the studio's API.
 *
 *   npx tsx site/reference/main.ts FOLDER
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandsPage } from "./commands.ts";
import { configurationPage } from "./configuration.ts";
import { studioApiPage } from "./studio-api.ts";

const [, , folder = "site/.pages/reference"] = process.argv;
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "commands.md"), await commandsPage());
writeFileSync(join(folder, "configuration.md"), configurationPage());
writeFileSync(join(folder, "studio-api.md"), studioApiPage());
