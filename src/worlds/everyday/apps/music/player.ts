/** The player: what plays, what comes next, and for how long. Playing a song adds to the listening history. */
import { z } from "zod";
import {
  ApiError,
  type CallContext,
  defineApi,
  type Reader,
  type Writer,
} from "../../../../world/index.ts";
import { idOf, paged, pageOf, paging } from "../shared.ts";
import { ownOne, someSong } from "./examples.ts";
import { inOrder, slotAt } from "./ordering.ts";
import { history, type Player, player, type Queued, queue, REPEATS, songs } from "./tables.ts";
import { playlistBy, songBy, songItem, songsIn, songView } from "./views.ts";

const song = idOf("song");

const state = z.strictObject({
  playing: z.boolean(),
  song: z.string().nullable(),
  songId: z.int().nullable(),
  volume: z.int(),
  shuffle: z.boolean(),
  repeat: z.enum(REPEATS),
  sleepMinutes: z.int().nullable(),
  queued: z.int(),
});

function view(db: Reader) {
  const { song, playing, volume, shuffle, repeat, sleepMinutes } = current(db);
  const title = song === null ? null : songBy(db, song).title;
  const queued = db.all(queue).length;
  return { playing, song: title, songId: song, volume, shuffle, repeat, sleepMinutes, queued };
}

function current(db: Reader): Player {
  return db.all(player)[0]!;
}

function set(db: Writer, patch: Partial<Player>) {
  db.update(player, current(db).id, patch);
  return view(db);
}

const now = defineApi({
  summary: "Show what the player is doing.",
  params: z.strictObject({}),
  returns: state,
  example: () => ({}),
  handler: ({ db }) => view(db),
});

/** Plays a song at once and remembers that it was played. */
function start({ db, now }: CallContext, id: number) {
  db.insert(history, { song: id, at: now });
  db.update(songs, id, { plays: songBy(db, id).plays + 1 });
  return set(db, { song: id, playing: true });
}

const play = defineApi({
  summary: "Play a song at once; the queue stays.",
  params: z.strictObject({ song }),
  returns: state,
  example: (db) => ({ song: someSong(db, { saved: true }) }),
  handler: (context, { song }) => start(context, songBy(context.db, song, "song").id),
});

const playPlaylist = defineApi({
  summary: "Play a playlist from its start; its other songs take the place of the queue.",
  params: z.strictObject({ id: idOf("playlist") }),
  returns: state,
  example: (db) => ({ id: ownOne(db) }),
  handler: (context, { id }) => {
    const { db } = context;
    const [first, ...rest] = songsIn(db, playlistBy(db, id).id);
    if (!first) throw new ApiError(422, `id: playlist ${id} has no songs`);
    for (const row of db.all(queue)) db.remove(queue, row.id);
    for (const row of rest) db.insert(queue, { song: row.id, slot: null });
    return start(context, first.id);
  },
});

const pause = defineApi({
  summary: "Pause the music; nothing happens when it is paused already.",
  params: z.strictObject({}),
  returns: state,
  example: () => ({}),
  handler: ({ db }) => set(db, { playing: false }),
});

const resume = defineApi({
  summary: "Go on with the paused song; nothing happens when it plays already.",
  params: z.strictObject({}),
  returns: state,
  example: () => ({}),
  handler: ({ db }) => {
    if (current(db).song === null) {
      throw new ApiError(422, "song: there is none; music.play starts one");
    }
    return set(db, { playing: true });
  },
});

const next = defineApi({
  summary: "Play the first song of the queue and take it out.",
  params: z.strictObject({}),
  returns: state,
  example: () => ({}),
  handler: (context) => {
    const [first] = inOrder(context.db.all(queue));
    if (!first) throw new ApiError(409, "queue: it is empty; music.enqueue adds songs");
    context.db.remove(queue, first.id);
    return start(context, first.song);
  },
});

// --- the queue ---

const listQueue = defineApi({
  summary: "List the queue in the order of playing.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(songItem),
  example: () => ({}),
  handler: ({ db }, page) =>
    paged(inOrder(db.all(queue)), page, (row) => songView(db)(songBy(db, row.song))),
});

function queued(db: Reader, song: number): Queued | undefined {
  return db.where(queue, { song: songBy(db, song, "song").id })[0];
}

function refuseQueued(db: Reader, song: number): void {
  if (queued(db, song)) throw new ApiError(409, `song: song ${song} is already in the queue`);
}

/** A saved song that does not wait already. */
function notQueued(db: Reader): number {
  const waiting = new Set(db.all(queue).map(({ song }) => song));
  return db.where(songs, { saved: true }).find(({ id }) => !waiting.has(id))?.id ?? 1;
}

const enqueue = defineApi({
  summary: "Add a song at the end of the queue.",
  params: z.strictObject({ song }),
  returns: state,
  example: (db) => ({ song: notQueued(db) }),
  handler: ({ db }, { song }) => {
    refuseQueued(db, song);
    db.insert(queue, { song, slot: null });
    return view(db);
  },
});

const playNext = defineApi({
  summary: "Add a song at the front of the queue.",
  params: z.strictObject({ song }),
  returns: state,
  example: (db) => ({ song: notQueued(db) }),
  handler: ({ db }, { song }) => {
    refuseQueued(db, song);
    db.insert(queue, { song, slot: slotAt(inOrder(db.all(queue)), 1) });
    return view(db);
  },
});

const unqueue = defineApi({
  summary: "Take a song out of the queue.",
  params: z.strictObject({ song }),
  returns: state,
  example: (db) => ({ song: db.all(queue)[0]?.song ?? 1 }),
  handler: ({ db }, { song }) => {
    const row = queued(db, song);
    if (!row) throw new ApiError(404, `song: song ${song} is not in the queue`);
    db.remove(queue, row.id);
    return view(db);
  },
});

const clearQueue = defineApi({
  summary: "Take all songs out of the queue.",
  params: z.strictObject({}),
  returns: state,
  example: () => ({}),
  handler: ({ db }) => {
    for (const row of db.all(queue)) db.remove(queue, row.id);
    return view(db);
  },
});

// --- settings ---

const setVolume = defineApi({
  summary: "Set the volume.",
  params: z.strictObject({ percent: z.int().min(0).max(100).describe("0 is silent") }),
  returns: state,
  example: () => ({ percent: 35 }),
  handler: ({ db }, { percent }) => set(db, { volume: percent }),
});

const setMode = defineApi({
  summary: "Set shuffling and repeating.",
  params: z.strictObject({
    shuffle: z.boolean().optional().describe("in a random order or not"),
    repeat: z.enum(REPEATS).optional().describe("what begins again when it is over"),
  }),
  returns: state,
  example: () => ({ repeat: "song" }) as const,
  handler: ({ db }, { shuffle, repeat }) => {
    if (shuffle === undefined && repeat === undefined) {
      throw new ApiError(422, "shuffle, repeat: expected at least one of them, got none");
    }
    return set(db, {
      ...(shuffle === undefined ? {} : { shuffle }),
      ...(repeat === undefined ? {} : { repeat }),
    });
  },
});

const setSleepTimer = defineApi({
  summary: "Let the music stop after some minutes, in place of an earlier timer.",
  params: z.strictObject({ minutes: z.int().min(1).max(480).describe("from now") }),
  returns: state,
  example: () => ({ minutes: 30 }),
  handler: ({ db }, { minutes }) => set(db, { sleepMinutes: minutes }),
});

const cancelSleepTimer = defineApi({
  summary: "Cancel the sleep timer.",
  params: z.strictObject({}),
  returns: state,
  example: () => ({}),
  handler: ({ db }) => {
    if (current(db).sleepMinutes !== null) return set(db, { sleepMinutes: null });
    throw new ApiError(409, "sleepMinutes: no timer is set; music.setSleepTimer sets one");
  },
});

export const playerApis = {
  nowPlaying: now,
  play,
  playPlaylist,
  pause,
  resume,
  next,
  queue: listQueue,
  enqueue,
  playNext,
  unqueue,
  clearQueue,
  setVolume,
  setMode,
  setSleepTimer,
  cancelSleepTimer,
};
