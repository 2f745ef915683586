/** Things done once, values found in the music app, and numbers about it. */

import type { Deed, Fact, Source } from "../../../../goals/index.ts";
import type { Writer } from "../../../../world/index.ts";
import {
  artists,
  entries,
  type Player,
  player,
  playlists,
  queue,
  songs,
} from "../../apps/music/tables.ts";
import { concertValue, isOwn, js, playlistValue, songValue } from "./looks.ts";
import { addEntry } from "./writes.ts";

const NAMES = [
  "Songs for the train",
  "Half an hour of peace",
  "Ironing music",
  "New year, new songs",
  "Music for the stairs",
  "Waiting at the dentist",
  "Office mornings",
  "Not too loud",
  "The long weekend",
  "Autumn in headphones",
];

function newPlaylist(db: Writer, name: string, description: string) {
  const own = { person: null, role: "editor", removed: false, left: false } as const;
  return db.insert(playlists, { name, description, ...own });
}

const setPlayer = (db: Writer, patch: Partial<Player>) => {
  db.update(player, db.all(player)[0]!.id, patch);
};

// --- deeds ---

const create: Deed = {
  name: "create-playlist",
  app: "music",
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    const name = draw.rng.pick(NAMES);
    return {
      sentences: [
        `Create a playlist "${name}" with the description ${text.words}`,
        `Make a new playlist called "${name}" and describe it with ${text.words}`,
        `Set up a playlist "${name}" whose description is ${text.words}`,
        `I need a new playlist named "${name}" with ${text.words} as its description`,
        `Start a new playlist "${name}"; its description shall be ${text.words}`,
      ],
      apply: (db) => {
        newPlaylist(db, name, text.value);
      },
      cells: [`apis.music.createPlaylist({name:${js(name)},description:${text.code}})`],
      uses: [text],
    };
  },
};

const createWith: Deed = {
  name: "create-playlist-with-songs",
  app: "music",
  draw: (draw) => {
    const first = songValue(draw, draw.db.all(songs));
    const others = draw.db.all(songs).filter(({ id }) => id !== first?.value.id);
    const second = songValue(draw, others);
    if (!first || !second) return undefined;
    const name = draw.rng.pick(NAMES);
    const list = draw.variable("list");
    const both = `${first.words} and ${second.words}`;
    return {
      sentences: [
        `Create a playlist "${name}" with ${both}`,
        `Make a new playlist called "${name}" that holds ${both}`,
        `Set up a playlist "${name}" and put ${both} into it`,
        `I need a new playlist named "${name}" with ${both} in it`,
        `Start a new playlist "${name}" and add ${both}`,
      ],
      apply: (db) => {
        const { id } = newPlaylist(db, name, "");
        addEntry(db, id, first.value.id);
        addEntry(db, id, second.value.id);
      },
      cells: [
        `var ${list}=apis.music.createPlaylist({name:${js(name)}}).id;print(${list})`,
        `apis.music.addSong({playlist:${list},song:${first.code}});apis.music.addSong({playlist:${list},song:${second.code}})`,
      ],
      uses: [first, second],
    };
  },
};

const rename: Deed = {
  name: "rename-playlist",
  app: "music",
  draw: (draw) => {
    const list = playlistValue(draw);
    if (!list) return undefined;
    const name = draw.rng.pick(NAMES);
    return {
      sentences: [
        `Rename ${list.words} to "${name}"`,
        `Change the name of ${list.words} to "${name}"`,
        `Call ${list.words} "${name}" from now on`,
        `Let ${list.words} have the new name "${name}"`,
        `Give ${list.words} the name "${name}" in place of the old one`,
      ],
      apply: (db) => {
        db.update(playlists, list.value.id, { name });
      },
      cells: [`apis.music.renamePlaylist({id:${list.code},name:${js(name)}})`],
      uses: [list],
    };
  },
};

/** The new slot is one below the first: the same that the API gives. */
const moveToTop: Deed = {
  name: "move-song-to-top",
  app: "music",
  draw: (draw) => {
    const list = playlistValue(
      draw,
      ({ id }) => draw.db.where(entries, { playlist: id, removed: false }).length > 2,
    );
    if (!list) return undefined;
    const place = ({ id, slot }: { id: number; slot: number | null }) => slot ?? id;
    const inside = draw.db
      .where(entries, { playlist: list.value.id, removed: false })
      .toSorted((a, b) => place(a) - place(b));
    const later = new Set(inside.slice(1).map(({ song }) => song));
    const song = songValue(
      draw,
      draw.db.all(songs).filter(({ id }) => later.has(id)),
    );
    if (!song) return undefined;
    const entry = inside.find((row) => row.song === song.value.id)!;
    return {
      sentences: [
        `Move ${song.words} to the first position of ${list.words}`,
        `Make ${song.words} the first one in ${list.words}`,
        `Bring ${song.words} to the top of ${list.words}`,
        `Let ${list.words} begin with ${song.words}, which is already in it`,
        `Put ${song.words} at position 1 of ${list.words}, where it stands further down`,
      ],
      apply: (db) => {
        db.update(entries, entry.id, { slot: place(inside[0]!) - 1 });
      },
      cells: [`apis.music.moveSong({playlist:${list.code},song:${song.code},position:1})`],
      uses: [list, song],
    };
  },
};

const copyPlaylist: Deed = {
  name: "copy-playlist",
  app: "music",
  draw: (draw) => {
    const list = playlistValue(draw);
    if (!list) return undefined;
    const name = draw.rng.pick(NAMES);
    return {
      sentences: [
        `Copy ${list.words} to a new playlist "${name}"`,
        `Make a copy of ${list.words} and call it "${name}"`,
        `Duplicate ${list.words} under the name "${name}"`,
        `I want a copy of ${list.words} that is named "${name}"`,
        `Create a copy of ${list.words}; its name shall be "${name}"`,
      ],
      apply: (db) => {
        const { id } = newPlaylist(db, name, list.value.description);
        const inside = db.where(entries, { playlist: list.value.id, removed: false });
        for (const { song } of inside) addEntry(db, id, song);
      },
      cells: [`apis.music.copyPlaylist({id:${list.code},name:${js(name)}})`],
      uses: [list],
    };
  },
};

const sleepTimer: Deed = {
  name: "sleep-timer",
  app: "music",
  draw: ({ rng }) => {
    const minutes = 5 * rng.integer(2, 24) + rng.integer(1, 4);
    return {
      sentences: [
        `Set the sleep timer of my music player to ${minutes} minutes`,
        `Let the music stop in ${minutes} minutes by the sleep timer`,
        `Put ${minutes} minutes on the sleep timer of the music app`,
        `My music shall stop after ${minutes} minutes; use the sleep timer`,
        `Make the sleep timer of the music app run for ${minutes} minutes`,
      ],
      apply: (db) => setPlayer(db, { sleepMinutes: minutes }),
      cells: [`apis.music.setSleepTimer({minutes:${minutes}})`],
    };
  },
};

const volume: Deed = {
  name: "volume",
  app: "music",
  draw: ({ rng }) => {
    const percent = rng.integer(11, 39) + 50 * rng.integer(0, 1);
    return {
      sentences: [
        `Set the volume of my music player to ${percent} percent`,
        `Turn the volume in the music app to ${percent} percent`,
        `Let the music player have a volume of ${percent} percent`,
        `I want the volume of the music app at ${percent} percent`,
        `Bring the music player to a volume of ${percent} percent`,
      ],
      apply: (db) => setPlayer(db, { volume: percent }),
      cells: [`apis.music.setVolume({percent:${percent}})`],
    };
  },
};

const clearQueue: Deed = {
  name: "clear-queue",
  app: "music",
  draw: () => ({
    sentences: [
      "Clear my music queue",
      "Empty the queue of my music player",
      "Take everything out of my music queue",
      "Let there be nothing left in the queue of the music app",
      "Remove all songs from the queue of my music player",
    ],
    apply: (db) => {
      for (const { id } of db.all(queue)) db.remove(queue, id);
    },
    cells: ["apis.music.clearQueue({})"],
  }),
};

export const deeds: readonly Deed[] = [
  create,
  createWith,
  rename,
  moveToTop,
  copyPlaylist,
  sleepTimer,
  volume,
  clearQueue,
];

// --- sources ---

const firstLine: Source<"text"> = {
  name: "first-line",
  type: "text",
  app: "music",
  draw: (draw) => {
    const song = songValue(draw, draw.db.all(songs));
    if (!song) return undefined;
    const [line] = song.value.lyrics.split("\n");
    const code = draw.variable("line");
    return {
      value: line!,
      words: `the first line of the lyrics of ${song.words}`,
      code,
      cells: [
        ...song.cells,
        `var ${code}=apis.music.lyrics({id:${song.code}}).lines[0];print(${code})`,
      ],
      apps: ["music"],
    };
  },
};

const described: Source<"text"> = {
  name: "playlist-description",
  type: "text",
  app: "music",
  draw: (draw) => {
    const list = playlistValue(draw, ({ description }) => description !== "");
    if (!list) return undefined;
    const code = draw.variable("about");
    return {
      value: list.value.description,
      words: `the description of ${list.words}`,
      code,
      cells: [
        ...list.cells,
        `var ${code}=apis.music.playlist({id:${list.code}}).description;print(${code})`,
      ],
      apps: ["music"],
    };
  },
};

const concertDay: Source<"day"> = {
  name: "concert-day",
  type: "day",
  app: "music",
  draw: (draw) => {
    const concert = concertValue(draw, () => true);
    if (!concert) return undefined;
    const code = draw.variable("day");
    return {
      value: concert.value.day,
      words: `the day of ${concert.words}`,
      code,
      cells: [
        ...concert.cells,
        `var ${code}=apis.music.concert({id:${concert.code}}).day;print(${code})`,
      ],
      apps: ["music"],
    };
  },
};

const ticketPrice: Source<"money"> = {
  name: "ticket-price",
  type: "money",
  app: "music",
  draw: (draw) => {
    const concert = concertValue(draw, () => true);
    if (!concert) return undefined;
    const code = draw.variable("price");
    return {
      value: concert.value.cents,
      words: `the price of a ticket for ${concert.words}`,
      code,
      cells: [
        ...concert.cells,
        `var ${code}=apis.music.concert({id:${concert.code}}).price;print(${code})`,
      ],
      apps: ["music"],
    };
  },
};

export const sources: readonly Source[] = [firstLine, described, concertDay, ticketPrice];

// --- facts ---

export const facts: readonly Fact[] = [
  {
    name: "saved",
    app: "music",
    unit: "number",
    words: [
      "the number of songs in my music library",
      "the count of songs in my music library",
      "the number of songs I saved in my music library",
      "the size of my music library in songs",
      "the number of songs that my music library has",
    ],
    value: (db) => db.where(songs, { saved: true }).length,
    code: "apis.music.summary({}).songs",
  },
  {
    name: "followed",
    app: "music",
    unit: "number",
    words: [
      "the number of artists I follow",
      "the count of artists whom I follow",
      "the number of artists that I am following",
      "the number of artists followed by me",
      "the total of artists I follow in the music app",
    ],
    value: (db) => db.where(artists, { followed: true }).length,
    code: "apis.music.summary({}).followed",
  },
  {
    name: "own-playlists",
    app: "music",
    unit: "number",
    words: [
      "the number of playlists I own",
      "the count of my own playlists",
      "the number of playlists that are mine",
      "the number of my own playlists in the music app",
      "the total of playlists owned by me",
    ],
    value: (db) => db.all(playlists).filter(isOwn).length,
    code: "apis.music.summary({}).playlists",
  },
  {
    name: "plays",
    app: "music",
    unit: "number",
    words: [
      "the number of plays of all songs together",
      "the total number of plays in my music app",
      "the sum of the plays of all songs",
      "the number of times I played any song in the music app",
      "the count of all my plays in the music app",
    ],
    value: (db) => db.all(songs).reduce((sum, row) => sum + row.plays, 0),
    code: "apis.music.summary({}).plays",
  },
];
