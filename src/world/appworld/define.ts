/**
 * What a user says about an installation of AppWorld. Bowline has nothing of AppWorld's data or code: everything is
 * asked from the servers that run in the user's own installation.
 */
import type { Difficulty, Split } from "../../spec/index.ts";

/** Where AppWorld is installed, how its servers are started, and what they allow. */
export interface AppWorldDefinition {
  /** The folder that has AppWorld's `data/`. */
  readonly root: string;
  /**
   * The command before `serve environment`. Default: `["appworld"]`; a program in a virtual environment of its own is
   * named by its path.
   */
  readonly command?: readonly string[];
  /** The number of servers, each a process with one world. More episodes wait for a server. Default: 4. */
  readonly servers?: number;
  /** The splits that are opened. Default: train and dev. Of test splits only totals are shown, as AppWorld's rules ask. */
  readonly splits?: readonly Split[];
  /** The difficulties of the tasks in `train`. Default: 1 and 2, as in the paper (arXiv 2502.01600). */
  readonly trainDifficulties?: readonly Difficulty[];
  /** AppWorld's own limit on the seconds of one cell. Default: 100. */
  readonly cellSeconds?: number;
  /** How long a cell may take beyond this limit before its server is ended, in milliseconds. Default: 30,000. */
  readonly graceMs?: number;
  /** How long a server may take to start, in milliseconds. Default: 120,000. */
  readonly startMs?: number;
  /** A server is replaced after so many episodes, because its memory grows. Default: 50. */
  readonly episodesPerServer?: number;
}

/** The definition with its defaults. */
export type AppWorldSettings = Required<AppWorldDefinition>;

export const APPWORLD_DEFAULTS = {
  command: ["appworld"],
  servers: 4,
  splits: ["train", "dev"],
  trainDifficulties: [1, 2],
  cellSeconds: 100,
  graceMs: 30_000,
  startMs: 120_000,
  episodesPerServer: 50,
} as const satisfies Omit<AppWorldSettings, "root">;
