/**
 * Defines the music app: a catalogue, the owner's library and playlists, the player, and what is shared with contacts.
 */
import { defineApp } from "bowline/world";
import { artistApis, concertApis } from "./artists.ts";
import { listeningApis, playerApis } from "./player.ts";
import { playlistSongApis } from "./playlist-songs.ts";
import { playlistApis } from "./playlists.ts";
import { sharingApis } from "./sharing-and-recommending.ts";
import { songApis } from "./songs.ts";
import { musicTables } from "./tables.ts";

export * from "./tables.ts";

export const music = defineApp({
  name: "music",
  summary: "Songs, artists and concerts; the owner's library, playlists and player.",
  login: true,
  tables: [...musicTables],
  apis: {
    ...songApis,
    ...artistApis,
    ...concertApis,
    ...playlistApis,
    ...playlistSongApis,
    ...sharingApis,
    ...playerApis,
    ...listeningApis,
  },
});
