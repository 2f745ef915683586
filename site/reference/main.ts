/** `npm run docs:reference`: writes the pages of the reference that are made from the program. A test compares them. */
import { writeFileSync } from "node:fs";
import { commandsPage } from "./commands.ts";
import { configurationPage } from "./configuration.ts";
import { studioApiPage } from "./studio-api.ts";

const at = (name: string) => new URL(`../../docs/reference/${name}`, import.meta.url);

writeFileSync(at("commands.md"), await commandsPage());
writeFileSync(at("configuration.md"), configurationPage());
writeFileSync(at("studio-api.md"), studioApiPage());
