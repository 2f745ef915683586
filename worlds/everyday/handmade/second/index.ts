/** Scenarios 31 to 60: bank, pay, split, shop, music, travel and photos. */
import type { HandmadeScenario } from "../scenario.ts";
import { bank } from "./bank.ts";
import { gifts } from "./gifts.ts";
import { music } from "./music.ts";
import { pay } from "./pay.ts";
import { photos } from "./photos.ts";
import { shop } from "./shop.ts";
import { splitting } from "./splitting.ts";
import { travel } from "./travel.ts";

export const second: readonly HandmadeScenario[] = [
  ...bank,
  ...pay,
  ...splitting,
  ...shop,
  ...gifts,
  ...music,
  ...travel,
  ...photos,
];
