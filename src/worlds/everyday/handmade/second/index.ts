/** Scenarios 31 to 60: bank, pay, split, shop, music, travel and photos. */
import type { HandmadeScenario } from "../scenario.ts";
import { bank } from "./bank.ts";
import { pay } from "./pay.ts";
import { splitting } from "./splitting.ts";

export const second: readonly HandmadeScenario[] = [...bank, ...pay, ...splitting];
