/** What can be done with playlists: those of the owner, and those of contacts. */

import type { Action } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { playlistShares, playlists, ROLES, songs } from "../../apps/music/tables.ts";
import { holdsSong, isOwn, playlistValue, songsOf, songValue } from "./looks.ts";
import { activeShare, addEntry, endShare, sendText, shareWith } from "./writes.ts";

const list = { kind: "playlists", app: "music" } as const;
const theirs = { kind: "contacts-playlists", app: "music" } as const;

const owned = (db: Reader, id: number) => isOwn(db.get(playlists, id)!);
const visible = (db: Reader, id: number) => {
  const row = db.get(playlists, id)!;
  return !row.removed && !row.left;
};
const editable = (db: Reader, id: number) =>
  visible(db, id) && db.get(playlists, id)!.role === "editor";

/** Whether its songs are those of the start: what reads them does not go together with what adds to them. */
const unchanged = (db: Reader, start: Reader, id: number) =>
  songsOf(db, id).length === songsOf(start, id).length;

const share: Action = {
  ...list,
  name: "share-playlist",
  difficulty: 2,
  draw: (draw) => {
    const friend = draw.person();
    if (!friend) return undefined;
    const role = draw.rng.pick(ROLES);
    const as = role === "editor" ? "an editor" : "a listener";
    return {
      frames: [
        (noun) => `Share ${noun} with ${friend.words}, as ${as}`,
        (noun) => `Let ${friend.words} into ${noun} as ${as}`,
        (noun) => `Give ${friend.words} access to ${noun}, in the role of ${as}`,
        (noun) => `Make ${friend.words} ${as} of ${noun}`,
        (noun) => `As ${as}, let ${friend.words} into ${noun}`,
      ],
      permits: (db, id) => owned(db, id) && !activeShare(db, id, friend.value.id),
      apply: (db, id) => shareWith(db, id, friend.value.id, role),
      call: (x) => `apis.music.sharePlaylist({id:${x},person:${friend.code},role:"${role}"})`,
      uses: [friend],
    };
  },
};

const unshare: Action = {
  ...list,
  name: "unshare-playlist",
  difficulty: 2,
  draw: (draw) => {
    const shares = draw.db.where(playlistShares, { ended: false });
    const friend = draw.person(shares.map(({ person }) => person));
    if (!friend) return undefined;
    return {
      frames: [
        (noun) => `Stop sharing ${noun} with ${friend.words}`,
        (noun) => `Quit sharing ${noun} with ${friend.words}`,
        (noun) => `End the sharing of ${noun} with ${friend.words}`,
        (noun) => `Take from ${friend.words} the access to ${noun}`,
        (noun) => `Have the access of ${friend.words} ended to ${noun}`,
      ],
      permits: (db, id) => owned(db, id) && activeShare(db, id, friend.value.id) !== undefined,
      apply: (db, id) => endShare(db, id, friend.value.id),
      call: (x) => `apis.music.unsharePlaylist({id:${x},person:${friend.code}})`,
      uses: [friend],
    };
  },
};

const describe: Action = {
  ...list,
  name: "describe-playlist",
  difficulty: 1,
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (noun) => `Use ${text.words} as the description of ${noun}`,
        (noun) => `Take ${text.words} for the description of ${noun}`,
        (noun) => `Make ${text.words} the description of ${noun}`,
        (noun) => `Replace the description of ${noun} with ${text.words}`,
        (noun) => `Set the description of ${noun} to ${text.words}`,
      ],
      permits: owned,
      apply: (db, id) => {
        db.update(playlists, id, { description: text.value });
      },
      call: (x) => `apis.music.describePlaylist({id:${x},description:${text.code}})`,
      uses: [text],
    };
  },
};

const addSong = (kind: string): Action => ({
  kind,
  app: "music",
  name: "add-song",
  difficulty: 2,
  draw: (draw) => {
    const song = songValue(draw, draw.db.all(songs));
    if (!song) return undefined;
    return {
      frames: [
        (noun) => `Add ${song.words} to ${noun}`,
        (noun) => `Put ${song.words} at the end of ${noun}`,
        (noun) => `Include ${song.words} in ${noun}`,
        (noun) => `Append ${song.words} to ${noun}`,
        (noun) => `Place ${song.words} in ${noun}`,
      ],
      permits: (db, id) => editable(db, id) && !holdsSong(db, id, song.value.id),
      apply: (db, id) => addEntry(db, id, song.value.id),
      call: (x) => `apis.music.addSong({playlist:${x},song:${song.code}})`,
      uses: [song],
    };
  },
});

const merge = (kind: string): Action => ({
  kind,
  app: "music",
  name: "merge-playlist",
  difficulty: 2,
  draw: (draw) => {
    const target = playlistValue(draw);
    if (!target) return undefined;
    const into = target.value.id;
    return {
      frames: [
        (noun) => `Merge ${noun} into ${target.words}`,
        (noun) => `Add the songs of ${noun} to ${target.words}, none twice`,
        (noun) => `Complete ${target.words} with whatever songs of ${noun} it lacks`,
        (noun) => `Fill ${target.words} with the songs of ${noun} that it lacks`,
        (noun) => `Extend ${target.words} by the songs of ${noun} that are missing there`,
      ],
      permits: (db, id) =>
        id !== into &&
        visible(db, id) &&
        unchanged(db, draw.db, id) &&
        songsOf(db, id).some((x) => !holdsSong(db, into, x)),
      apply: (db, id) => {
        for (const song of songsOf(db, id)) {
          if (!holdsSong(db, into, song)) addEntry(db, into, song);
        }
      },
      call: (x) => `apis.music.mergePlaylists({from:${x},into:${target.code}})`,
      uses: [target],
    };
  },
});

const leave: Action = {
  ...theirs,
  name: "leave-playlist",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Leave ${noun}`,
      (noun) => `Quit ${noun}`,
      (noun) => `Take me out of ${noun}`,
      (noun) => `Let me leave ${noun}`,
      (noun) => `Get me out of ${noun}`,
    ],
    permits: (db, id) => {
      const row = db.get(playlists, id)!;
      return row.person !== null && !row.left;
    },
    apply: (db, id) => {
      db.update(playlists, id, { left: true });
    },
    call: (x) => `apis.music.leavePlaylist({id:${x}})`,
  }),
};

const copy: Action = {
  ...theirs,
  name: "copy-playlist",
  difficulty: 1,
  draw: (draw) => {
    const form = `"Copy of" and the old name`;
    return {
      frames: [
        (noun) => `Copy ${noun} to own playlists of mine, named ${form}`,
        (noun) => `Make own copies of ${noun} for me, named ${form}`,
        (noun) => `Duplicate ${noun} for me under names made of ${form}`,
        (noun) => `Save copies of ${noun} as playlists of my own, named ${form}`,
        (noun) => `Turn ${noun} into playlists of my own by copying, with names made of ${form}`,
      ],
      permits: (db, id) => visible(db, id) && unchanged(db, draw.db, id),
      apply: (db, id) => {
        const { name, description } = db.get(playlists, id)!;
        const own = { person: null, role: "editor", removed: false, left: false } as const;
        const row = db.insert(playlists, { name: `Copy of ${name}`, description, ...own });
        for (const song of songsOf(db, id)) addEntry(db, row.id, song);
      },
      call: (x) => `apis.music.copyPlaylist({id:${x}})`,
    };
  },
};

const remove: Action = {
  ...list,
  name: "remove-playlist",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Remove ${noun}`,
      (noun) => `Delete ${noun}`,
      (noun) => `Get rid of ${noun}`,
      (noun) => `Throw away ${noun}`,
      (noun) => `Dispose of ${noun}`,
    ],
    permits: (db, id) =>
      owned(db, id) && db.where(playlistShares, { playlist: id, ended: false }).length === 0,
    apply: (db, id) => {
      db.update(playlists, id, { removed: true });
    },
    call: (x) => `apis.music.removePlaylist({id:${x}})`,
  }),
};

const textName = (kind: string): Action => ({
  kind,
  app: "messages",
  name: "text-playlist-name",
  difficulty: 2,
  draw: (draw) => {
    const friend = draw.person();
    if (!friend) return undefined;
    const rest = "a message for each playlist that says its name and nothing else";
    return {
      frames: [
        (noun) => `Tell ${friend.words} about ${noun}: ${rest}`,
        (noun) => `Let ${friend.words} know of ${noun} by ${rest}`,
        (noun) => `Text ${friend.words} about ${noun}, ${rest}`,
        (noun) => `Message ${friend.words} about ${noun}, with ${rest}`,
        (noun) => `Inform ${friend.words} of ${noun}, by ${rest}`,
      ],
      permits: visible,
      apply: (db, id) => sendText(db, friend.value.id, db.get(playlists, id)!.name),
      call: (x) =>
        `const o=apis.music.playlist({id:${x}});apis.messages.send({to:${friend.code},text:o.name})`,
      uses: [friend],
    };
  },
});

export const playlistActions: readonly Action[] = [
  share,
  unshare,
  describe,
  remove,
  leave,
  copy,
  ...["playlists", "contacts-playlists"].flatMap((kind) => [
    addSong(kind),
    merge(kind),
    textName(kind),
  ]),
];
