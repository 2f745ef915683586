/**
 * Remembers, for each episode of this browser tab, how it was opened and which cells the user ran in it. Episodes are
 * lost when the studio restarts. With this memory they can be opened again and brought to the same state.
 */
import type { CellView, EpisodeView, OpenEpisodeRequest } from "../../../src/spec/studio/index.ts";
import { requestJson } from "./api.ts";

export interface EpisodeMemory {
  readonly from: OpenEpisodeRequest;
  readonly hand: readonly string[];
}

const storageKey = (id: string) => `bowline-episode-${id}`;

export function rememberEpisode(episode: EpisodeView): void {
  const { id, world, task, record } = episode;
  const from: OpenEpisodeRequest = record
    ? {
        from: "rollout",
        run: record.run,
        file: record.file,
        rollout: record.row.id,
        turn: record.turn,
      }
    : {
        from: "task",
        world: world.name,
        seed: world.seed,
        task: task.id,
        ...(world.run !== undefined && { run: world.run }),
      };
  const memory: EpisodeMemory = { from, hand: listManualCells(episode.cells) };
  sessionStorage.setItem(storageKey(id), JSON.stringify(memory));
}

export function recallEpisode(id: string): EpisodeMemory | undefined {
  const text = sessionStorage.getItem(storageKey(id));
  return text === null ? undefined : (JSON.parse(text) as EpisodeMemory);
}

/** Opens a new episode in the same way, and runs the same cells in it. */
export async function reopenEpisode({ from, hand }: EpisodeMemory): Promise<EpisodeView> {
  let episode = await requestJson<EpisodeView>(["episodes"], { method: "POST", body: from });
  for (const code of hand) {
    episode = await requestJson<EpisodeView>(["episodes", episode.id, "step"], {
      method: "POST",
      body: { code },
    });
  }
  return episode;
}

function listManualCells(cells: readonly CellView[]): string[] {
  return cells.filter(({ by }) => by === "hand").map(({ code }) => code);
}
