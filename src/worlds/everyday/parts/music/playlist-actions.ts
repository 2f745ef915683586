/** What can be done with playlists, artists and concerts, and with people by means of them. */
import type { Reader, Writer } from "../../../../world/index.ts";
import type { Action } from "../../algebra/parts.ts";
import {
  artists,
  concertInvites,
  concerts,
  playlistShares,
  playlists,
  ROLES,
  type Role,
  songs,
} from "../../apps/music/tables.ts";
import { events, people } from "../../apps/tables.ts";
import {
  concertValue,
  holdsSong,
  isOwn,
  playlistValue,
  songsOf,
  songValue,
  TODAY,
} from "./looks.ts";
import { addEntry, addTodo, recommendTo, sendText } from "./song-actions.ts";

const list = { kind: "playlists", app: "music" } as const;
const theirs = { kind: "contacts-playlists", app: "music" } as const;

function activeShare(db: Reader, playlist: number, person: number) {
  return db.where(playlistShares, { playlist, person, ended: false })[0];
}

function shareWith(db: Writer, playlist: number, person: number, role: Role): void {
  db.insert(playlistShares, { playlist, person, role, ended: false });
}

function endShare(db: Writer, playlist: number, person: number): void {
  db.update(playlistShares, activeShare(db, playlist, person)!.id, { ended: true });
}

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
const welcome = (db: Reader, id: number) => !db.get(people, id)!.blocked;

// --- playlists ---

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
        (noun) => `No longer share ${noun} with ${friend.words}`,
        (noun) => `End the sharing of ${noun} with ${friend.words}`,
        (noun) => `Take from ${friend.words} the access to ${noun}`,
        (noun) => `Let ${friend.words} no longer have access to ${noun}`,
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

// --- artists ---

const follow: Action = {
  name: "follow",
  kind: "artists",
  app: "music",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Follow ${noun}`,
      (noun) => `Start following ${noun}`,
      (noun) => `Make me a follower of ${noun}`,
      (noun) => `Begin to follow ${noun}`,
      (noun) => `Let me follow ${noun} from now on`,
    ],
    permits: (db, id) => !db.get(artists, id)!.followed,
    apply: (db, id) => {
      db.update(artists, id, { followed: true });
    },
    call: (x) => `apis.music.follow({id:${x}})`,
  }),
};

const unfollow: Action = {
  name: "unfollow",
  kind: "artists",
  app: "music",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Unfollow ${noun}`,
      (noun) => `Stop following ${noun}`,
      (noun) => `No longer follow ${noun}`,
      (noun) => `Cease to follow ${noun}`,
      (noun) => `Let me not follow ${noun} any longer`,
    ],
    permits: (db, id) => db.get(artists, id)!.followed,
    apply: (db, id) => {
      db.update(artists, id, { followed: false });
    },
    call: (x) => `apis.music.unfollow({id:${x}})`,
  }),
};

const todoArtist: Action = {
  kind: "artists",
  app: "todo",
  name: "todo-artist",
  difficulty: 2,
  draw: () => {
    const form = `"listen to" and the artist's name`;
    return {
      frames: [
        (noun) => `Put ${noun} on my todo list, each as ${form}`,
        (noun) => `Make todos of ${noun}, each of which says ${form}`,
        (noun) => `Add ${noun} to my todos, one todo an artist: ${form}`,
        (noun) => `Turn ${noun} into todos, each of the form ${form}`,
        (noun) => `Note ${noun} in my todo app, one todo an artist: ${form}`,
      ],
      apply: (db, id) => addTodo(db, `listen to ${db.get(artists, id)!.name}`, null),
      call: (x) =>
        `const o=apis.music.artist({id:${x}});apis.todo.add({title:"listen to "+o.name})`,
    };
  },
};

// --- concerts ---

const concert = { kind: "concerts", app: "music" } as const;

const mark: Action = {
  ...concert,
  name: "mark-concert",
  difficulty: 1,
  draw: ({ rng }) => {
    const interested = rng.chance(0.7);
    return {
      frames: interested
        ? [
            (noun) => `Mark ${noun} as interesting`,
            (noun) => `Put a mark of interest on ${noun}`,
            (noun) => `Set the interesting mark for ${noun}`,
            (noun) => `Flag ${noun} as interesting to me`,
            (noun) => `Note my interest in ${noun} with a mark`,
          ]
        : [
            (noun) => `Take the mark of interest off ${noun}`,
            (noun) => `Unmark ${noun}, so that the interesting mark is gone`,
            (noun) => `Remove the interesting mark from ${noun}`,
            (noun) => `Clear my mark of interest from ${noun}`,
            (noun) => `No longer mark ${noun} as interesting`,
          ],
      permits: (db, id) => db.get(concerts, id)!.interested !== interested,
      apply: (db, id) => {
        db.update(concerts, id, { interested });
      },
      call: interested
        ? (x) => `apis.music.markConcert({id:${x}})`
        : (x) => `apis.music.unmarkConcert({id:${x}})`,
    };
  },
};

const invited = (db: Reader, concert: number, person: number) =>
  db.where(concertInvites, { concert, person, withdrawn: false }).length > 0;

function inviteTo(db: Writer, concert: number, person: number): void {
  db.insert(concertInvites, { concert, person, withdrawn: false });
}

const inviteFriend: Action = {
  ...concert,
  name: "invite-to-concert",
  difficulty: 2,
  draw: (draw) => {
    const friend = draw.person();
    if (!friend) return undefined;
    return {
      frames: [
        (noun) => `In the music app, invite ${friend.words} to ${noun}`,
        (noun) => `Use the music app to invite ${friend.words} to ${noun}`,
        (noun) => `Through the music app, invite ${friend.words} to ${noun}`,
        (noun) => `Let the music app invite ${friend.words} to ${noun}`,
        (noun) => `With the music app, invite ${friend.words} to ${noun}`,
      ],
      permits: (db, id) => db.get(concerts, id)!.day >= TODAY && !invited(db, id, friend.value.id),
      apply: (db, id) => inviteTo(db, id, friend.value.id),
      call: (x) => `apis.music.invite({id:${x},person:${friend.code}})`,
      uses: [friend],
    };
  },
};

const plan: Action = {
  kind: "concerts",
  app: "calendar",
  name: "plan-concert",
  difficulty: 2,
  draw: () => {
    const rest = "with the day and time of the concert and the artist's name as the title";
    return {
      frames: [
        (noun) => `Put ${noun} into my calendar, ${rest}`,
        (noun) => `Add ${noun} to my calendar, ${rest}`,
        (noun) => `Enter ${noun} in my calendar, ${rest}`,
        (noun) => `Make calendar events of ${noun}, ${rest}`,
        (noun) => `Note ${noun} as events in my calendar, ${rest}`,
      ],
      permits: (db, id) => db.get(concerts, id)!.day >= TODAY,
      apply: (db, id) => {
        const { artist, day, time } = db.get(concerts, id)!;
        const title = db.get(artists, artist)!.name;
        const own = { host: null, response: "accepted", cancelled: false } as const;
        db.insert(events, { title, day, time, ...own });
      },
      call: (x) =>
        `const o=apis.music.concert({id:${x}});apis.calendar.add({title:o.artist,day:o.day,time:o.time})`,
    };
  },
};

const todoTickets: Action = {
  kind: "concerts",
  app: "todo",
  name: "todo-tickets",
  difficulty: 2,
  draw: () => {
    const form = `"tickets for" and the artist's name, due on the day of the concert`;
    return {
      frames: [
        (noun) => `Make todos of ${noun}, each of which says ${form}`,
        (noun) => `Put ${noun} on my todo list, each as ${form}`,
        (noun) => `Add ${noun} to my todos, one todo a concert: ${form}`,
        (noun) => `Turn ${noun} into todos, each of the form ${form}`,
        (noun) => `Note ${noun} in my todo app, one todo a concert: ${form}`,
      ],
      permits: (db, id) => db.get(concerts, id)!.day >= TODAY,
      apply: (db, id) => {
        const { artist, day } = db.get(concerts, id)!;
        addTodo(db, `tickets for ${db.get(artists, artist)!.name}`, day);
      },
      call: (x) =>
        `const o=apis.music.concert({id:${x}});apis.todo.add({title:"tickets for "+o.artist,due:o.day})`,
    };
  },
};

// --- people ---

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
      permits: (db, id) => welcome(db, id) && !invited(db, event.value.id, id),
      apply: (db, id) => inviteTo(db, event.value.id, id),
      call: (x) => `apis.music.invite({id:${event.code},person:${x}})`,
      uses: [event],
    };
  },
};

export const otherActions: readonly Action[] = [
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
  follow,
  unfollow,
  todoArtist,
  mark,
  inviteFriend,
  plan,
  todoTickets,
  recommendSong,
  letIn,
  shutOut,
  takeAlong,
];
