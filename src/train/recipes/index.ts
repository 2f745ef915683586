/** Named configurations. A recipe says what it changes from the defaults, and why, in its own file. */
import type { ConfigPatch } from "../config.ts";
import { imitationControl } from "./imitation-control.ts";
import { loop } from "./loop.ts";
import { smoke } from "./smoke.ts";
import { starter } from "./starter.ts";

export interface Recipe {
  /** One line for lists and help. */
  readonly summary: string;
  readonly config: ConfigPatch;
}

export const recipes: { readonly [name: string]: Recipe } = {
  starter,
  smoke,
  loop,
  "imitation-control": imitationControl,
};
