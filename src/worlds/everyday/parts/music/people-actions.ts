/** What music offers to do with people: songs recommended, playlists shared, invitations to a concert. */

import type { Action } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { playlistShares, ROLES, songs } from "../../apps/music/tables.ts";
import { people } from "../../apps/tables.ts";
import { concertValue, playlistValue, songValue } from "./looks.ts";
import { activeShare, endShare, inviteTo, isInvited, recommendTo, shareWith } from "./writes.ts";

const welcome = (db: Reader, id: number) => !db.get(people, id)!.blocked;

const person = { kind: "people", app: "music" } as const;

const recommendSong: Action = {
  ...person,
  name: "recommend-song",
  difficulty: 2,
  draw: (draw) => {
    const song = songValue(draw, draw.db.all(songs));
    if (!song) return undefined;
    return {
      frames: [
        (noun) => `In the music app, recommend ${song.words} to ${noun}`,
        (noun) => `Use the music app to recommend ${song.words} to ${noun}`,
        (noun) => `Through the music app, recommend ${song.words} to ${noun}`,
        (noun) => `Let the music app recommend ${song.words} to ${noun}`,
        (noun) => `With the music app, recommend ${song.words} to ${noun}`,
      ],
      permits: welcome,
      apply: (db, id) => recommendTo(db, song.value.id, id),
      call: (x) => `apis.music.recommend({song:${song.code},to:${x}})`,
      uses: [song],
    };
  },
};

const letIn: Action = {
  ...person,
  name: "let-into-playlist",
  difficulty: 2,
  draw: (draw) => {
    const shared = playlistValue(draw);
    if (!shared) return undefined;
    const role = draw.rng.pick(ROLES);
    const playlist = shared.value.id;
    return {
      frames: [
        (noun) => `Share ${shared.words} with ${noun} in the role of ${role}`,
        (noun) => `Let ${noun} into ${shared.words} with the role ${role}`,
        (noun) => `Give ${noun} access to ${shared.words} in the role of ${role}`,
        (noun) => `With the role of ${role}, share ${shared.words} with ${noun}`,
        (noun) => `In the role of ${role}, give access to ${shared.words} to ${noun}`,
      ],
      permits: (db, id) => welcome(db, id) && !activeShare(db, playlist, id),
      apply: (db, id) => shareWith(db, playlist, id, role),
      call: (x) => `apis.music.sharePlaylist({id:${shared.code},person:${x},role:"${role}"})`,
      uses: [shared],
    };
  },
};

const shutOut: Action = {
  ...person,
  name: "shut-out-of-playlist",
  difficulty: 2,
  draw: (draw) => {
    const isShared = (id: number) =>
      draw.db.where(playlistShares, { playlist: id, ended: false }).length > 0;
    const shared = playlistValue(draw, ({ id }) => isShared(id));
    if (!shared) return undefined;
    const playlist = shared.value.id;
    return {
      frames: [
        (noun) => `Stop sharing ${shared.words} with ${noun}`,
        (noun) => `No longer share ${shared.words} with ${noun}`,
        (noun) => `Take ${noun} off those with access to ${shared.words}`,
        (noun) => `End the sharing of ${shared.words} with ${noun}`,
        (noun) => `Close ${shared.words} to ${noun}`,
      ],
      permits: (db, id) => activeShare(db, playlist, id) !== undefined,
      apply: (db, id) => endShare(db, playlist, id),
      call: (x) => `apis.music.unsharePlaylist({id:${shared.code},person:${x}})`,
      uses: [shared],
    };
  },
};

const takeAlong: Action = {
  ...person,
  name: "take-to-concert",
  difficulty: 2,
  draw: (draw) => {
    const event = concertValue(draw, () => true);
    if (!event) return undefined;
    return {
      frames: [
        (noun) => `In the music app, invite ${noun} to ${event.words}`,
        (noun) => `Use the music app to invite ${noun} to ${event.words}`,
        (noun) => `Through the music app, invite ${noun} to ${event.words}`,
        (noun) => `Let the music app invite ${noun} to ${event.words}`,
        (noun) => `With the music app, invite ${noun} to ${event.words}`,
      ],
      permits: (db, id) => welcome(db, id) && !isInvited(db, event.value.id, id),
      apply: (db, id) => inviteTo(db, event.value.id, id),
      call: (x) => `apis.music.invite({id:${event.code},person:${x}})`,
      uses: [event],
    };
  },
};

export const peopleActions: readonly Action[] = [recommendSong, letIn, shutOut, takeAlong];
