/** Handmade scenarios 31 to 60, which use bank, pay, split, shop, music, travel and photos. */
import type { HandmadeScenario } from "../scenario.ts";
import { bankScenarios } from "./bank.ts";
import { giftScenarios } from "./gifts.ts";
import { musicScenarios } from "./music.ts";
import { payScenarios } from "./pay.ts";
import { photoScenarios } from "./photos.ts";
import { shopScenarios } from "./shop.ts";
import { splitScenarios } from "./split.ts";
import { travelScenarios } from "./travel.ts";

export const scenarios31To60: readonly HandmadeScenario[] = [
  ...bankScenarios,
  ...payScenarios,
  ...splitScenarios,
  ...shopScenarios,
  ...giftScenarios,
  ...musicScenarios,
  ...travelScenarios,
  ...photoScenarios,
];
