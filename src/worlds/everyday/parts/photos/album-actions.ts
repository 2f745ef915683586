/** What can be done with albums, faces and links, and with people by means of them. */
import type { Action } from "../../../../goals/index.ts";
import {
  ALBUM_ROLES,
  albumShares,
  albums,
  type Face,
  faces,
  links,
  placed,
  sentPhotos,
} from "../../apps/photos/tables.ts";
import { NOW } from "../../population/time.ts";
import {
  albumValue,
  isContactsAlbum,
  isOwnAlbum,
  isSharedWith,
  peopleIn,
  photoValue,
} from "./looks.ts";
import { addFace, endShare, isWelcome, shareWith } from "./writes.ts";

const album = { kind: "albums", app: "photos" } as const;
const TODAY = NOW.slice(0, 10);

// --- albums ---

const share: Action = {
  ...album,
  name: "share-album",
  difficulty: 2,
  draw: (draw) => {
    const friend = draw.person();
    if (!friend) return undefined;
    const role = draw.rng.pick(ALBUM_ROLES);
    const as = role === "editor" ? "an editor" : "a viewer";
    return {
      frames: [
        (noun) => `Share ${noun} with ${friend.words}, as ${as}`,
        (noun) => `Let ${friend.words} into ${noun} as ${as}`,
        (noun) => `Give ${friend.words} access to ${noun}, in the role of ${as}`,
        (noun) => `Make ${friend.words} ${as} of ${noun}`,
        (noun) => `As ${as}, let ${friend.words} into ${noun}`,
      ],
      permits: (db, id) =>
        isOwnAlbum(db.get(albums, id)!) && !isSharedWith(db, id, friend.value.id),
      apply: (db, id) => shareWith(db, id, friend.value.id, role),
      call: (x) => `apis.photos.shareAlbum({id:${x},person:${friend.code},role:"${role}"})`,
      uses: [friend],
    };
  },
};

const unshare: Action = {
  ...album,
  name: "unshare-album",
  difficulty: 2,
  draw: (draw) => {
    const shares = draw.db.where(albumShares, { ended: false });
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
      permits: (db, id) => isOwnAlbum(db.get(albums, id)!) && isSharedWith(db, id, friend.value.id),
      apply: (db, id) => endShare(db, id, friend.value.id),
      call: (x) => `apis.photos.unshareAlbum({id:${x},person:${friend.code}})`,
      uses: [friend],
    };
  },
};

const remove: Action = {
  ...album,
  name: "remove-album",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Remove ${noun}, but not the photos inside`,
      (noun) => `Delete ${noun} without touching the photos inside`,
      (noun) => `Get rid of ${noun} and leave the photos inside alone`,
      (noun) => `Without touching any photos, remove ${noun}`,
      (noun) => `While all photos stay, delete ${noun}`,
    ],
    permits: (db, id) =>
      isOwnAlbum(db.get(albums, id)!) &&
      db.where(albumShares, { album: id, ended: false }).length === 0,
    apply: (db, id) => {
      db.update(albums, id, { removed: true });
    },
    call: (x) => `apis.photos.removeAlbum({id:${x}})`,
  }),
};

const addPhoto: Action = {
  ...album,
  name: "add-photo",
  difficulty: 2,
  draw: (draw) => {
    const photo = photoValue(draw);
    if (!photo) return undefined;
    const id = photo.value.id;
    return {
      frames: [
        (noun) => `Add ${photo.words} to ${noun}`,
        (noun) => `Put ${photo.words} into ${noun}`,
        (noun) => `Include ${photo.words} in ${noun}`,
        (noun) => `Place ${photo.words} in ${noun}`,
        (noun) => `File ${photo.words} in ${noun}`,
      ],
      permits: (db, into) =>
        isOwnAlbum(db.get(albums, into)!) &&
        db.where(placed, { album: into, photo: id }).length === 0,
      apply: (db, into) => {
        db.insert(placed, { album: into, photo: id, removed: false });
      },
      call: (x) => `apis.photos.addToAlbum({album:${x},photo:${photo.code}})`,
      uses: [photo],
    };
  },
};

const link: Action = {
  ...album,
  name: "link-album",
  difficulty: 2,
  takes: "day",
  draw: (draw) => {
    const day = draw.value("day");
    return {
      frames: [
        (noun) => `Make links to ${noun}, one an album, that expire on ${day.words}`,
        (noun) => `Set up links to ${noun}, one each, that work until ${day.words}`,
        (noun) => `Prepare links to ${noun}, one per album; their last day is ${day.words}`,
        (noun) => `Let links that expire on ${day.words} be made, one an album, to ${noun}`,
        (noun) => `With ${day.words} as the last day, create a link to each album among ${noun}`,
      ],
      permits: (db, id) => isOwnAlbum(db.get(albums, id)!) && day.value >= TODAY,
      apply: (db, id) => {
        db.insert(links, { photo: null, album: id, expires: day.value, revoked: false });
      },
      call: (x) => `apis.photos.createLink({album:${x},expires:${day.code}})`,
      uses: [day],
    };
  },
};

const leave: Action = {
  name: "leave-album",
  kind: "contacts-albums",
  app: "photos",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Leave ${noun}`,
      (noun) => `Quit ${noun}`,
      (noun) => `Take me out of ${noun}`,
      (noun) => `Let me leave ${noun}`,
      (noun) => `Get me out of ${noun}`,
    ],
    permits: (db, id) => isContactsAlbum(db.get(albums, id)!),
    apply: (db, id) => {
      db.update(albums, id, { left: true });
    },
    call: (x) => `apis.photos.leaveAlbum({id:${x}})`,
  }),
};

const contribute: Action = {
  name: "contribute-photo",
  kind: "contacts-albums",
  app: "photos",
  difficulty: 2,
  draw: (draw) => {
    const photo = photoValue(draw);
    if (!photo) return undefined;
    const id = photo.value.id;
    return {
      frames: [
        (noun) => `Contribute ${photo.words} to ${noun}`,
        (noun) => `Put ${photo.words} into ${noun}`,
        (noun) => `Add ${photo.words} to ${noun}`,
        (noun) => `Place ${photo.words} in ${noun}`,
        (noun) => `Include ${photo.words} in ${noun}`,
      ],
      permits: (db, into) =>
        isContactsAlbum(db.get(albums, into)!) &&
        db.get(albums, into)!.role === "editor" &&
        db.where(placed, { album: into, photo: id }).length === 0,
      apply: (db, into) => {
        db.insert(placed, { album: into, photo: id, removed: false });
      },
      call: (x) => `apis.photos.addToAlbum({album:${x},photo:${photo.code}})`,
      uses: [photo],
    };
  },
};

// --- faces ---

const face = { kind: "faces", app: "photos" } as const;
const isOpen = ({ person, ignored }: Face) => person === null && !ignored;

const nameFace: Action = {
  ...face,
  name: "name-face",
  difficulty: 2,
  draw: (draw) => {
    const friend = draw.person();
    if (!friend) return undefined;
    return {
      frames: [
        (noun) => `Give the name of ${friend.words} to ${noun}`,
        (noun) => `Name ${friend.words} as the person behind ${noun}`,
        (noun) => `Set ${friend.words} as the name for ${noun}`,
        (noun) => `Identify ${noun} as ${friend.words}`,
        (noun) => `Assign ${noun} to ${friend.words}`,
      ],
      permits: (db, id) => {
        const row = db.get(faces, id)!;
        const inside = peopleIn(db, row.photo);
        return isOpen(row) && !inside.includes(friend.value.id);
      },
      apply: (db, id) => {
        db.update(faces, id, { person: friend.value.id });
      },
      call: (x) => `apis.photos.nameFace({id:${x},person:${friend.code}})`,
      uses: [friend],
    };
  },
};

/** Two faces of one photo cannot be the same person; the set is drawn again then. */
const confirmGuess: Action = {
  ...face,
  name: "confirm-guess",
  difficulty: 2,
  draw: () => ({
    frames: [
      (noun) => `Confirm the app's guess for ${noun}`,
      (noun) => `Name ${noun} after the person that the app guesses`,
      (noun) => `Accept the app's guess of the person for ${noun}`,
      (noun) => `Give to ${noun} the name of the person that the app takes them for`,
      (noun) => `Follow the app's guess in naming ${noun}`,
    ],
    permits: (db, id) => {
      const row = db.get(faces, id)!;
      return isOpen(row) && row.guess !== null && !peopleIn(db, row.photo).includes(row.guess);
    },
    apply: (db, id) => {
      db.update(faces, id, { person: db.get(faces, id)!.guess });
    },
    call: (x) =>
      `const o=apis.photos.face({id:${x}});apis.photos.nameFace({id:${x},person:o.guess})`,
  }),
};

const ignoreFace: Action = {
  ...face,
  name: "ignore-face",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Ignore ${noun}`,
      (noun) => `Set ${noun} to be ignored`,
      (noun) => `Let the app ignore ${noun}`,
      (noun) => `Mark ${noun} as ignored`,
      (noun) => `Put ${noun} among the ignored faces`,
    ],
    permits: (db, id) => isOpen(db.get(faces, id)!),
    apply: (db, id) => {
      db.update(faces, id, { ignored: true });
    },
    call: (x) => `apis.photos.ignoreFace({id:${x}})`,
  }),
};

// --- links ---

const revokeLink: Action = {
  name: "revoke-link",
  kind: "links",
  app: "photos",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Revoke ${noun}`,
      (noun) => `Make ${noun} useless by revoking`,
      (noun) => `Withdraw ${noun} at once`,
      (noun) => `Call back ${noun} by revoking`,
      (noun) => `Put an end to ${noun} by revocation`,
    ],
    permits: (db, id) => !db.get(links, id)!.revoked,
    apply: (db, id) => {
      db.update(links, id, { revoked: true });
    },
    call: (x) => `apis.photos.revokeLink({id:${x}})`,
  }),
};

const extendLink: Action = {
  name: "extend-link",
  kind: "links",
  app: "photos",
  difficulty: 1,
  takes: "day",
  draw: (draw) => {
    const day = draw.value("day");
    return {
      frames: [
        (noun) => `Change the last day of ${noun} to ${day.words}`,
        (noun) => `Let ${noun} expire on ${day.words}`,
        (noun) => `Set ${noun} to expire on ${day.words}`,
        (noun) => `Make ${day.words} the last day of ${noun}`,
        (noun) => `Move the last day of ${noun} to ${day.words}`,
      ],
      permits: (db, id) => {
        const { expires, revoked } = db.get(links, id)!;
        return !revoked && day.value >= TODAY && expires !== day.value;
      },
      apply: (db, id) => {
        db.update(links, id, { expires: day.value });
      },
      call: (x) => `apis.photos.extendLink({id:${x},expires:${day.code}})`,
      uses: [day],
    };
  },
};

// --- people ---

const person = { kind: "people", app: "photos" } as const;

const letIn: Action = {
  ...person,
  name: "let-into-album",
  difficulty: 2,
  draw: (draw) => {
    const shared = albumValue(draw);
    if (!shared) return undefined;
    const role = draw.rng.pick(ALBUM_ROLES);
    const into = shared.value.id;
    return {
      frames: [
        (noun) => `Share ${shared.words} with ${noun} in the role of ${role}`,
        (noun) => `Let ${noun} into ${shared.words} with the role ${role}`,
        (noun) => `Give ${noun} access to ${shared.words} in the role of ${role}`,
        (noun) => `With the role of ${role}, share ${shared.words} with ${noun}`,
        (noun) => `In the role of ${role}, give access to ${shared.words} to ${noun}`,
      ],
      permits: (db, id) => isWelcome(db, id) && !isSharedWith(db, into, id),
      apply: (db, id) => shareWith(db, into, id, role),
      call: (x) => `apis.photos.shareAlbum({id:${shared.code},person:${x},role:"${role}"})`,
      uses: [shared],
    };
  },
};

const shutOut: Action = {
  ...person,
  name: "shut-out-of-album",
  difficulty: 2,
  draw: (draw) => {
    const shared = albumValue(
      draw,
      ({ id }) => draw.db.where(albumShares, { album: id, ended: false }).length > 0,
    );
    if (!shared) return undefined;
    const from = shared.value.id;
    return {
      frames: [
        (noun) => `Stop sharing ${shared.words} with ${noun}`,
        (noun) => `No longer share ${shared.words} with ${noun}`,
        (noun) => `Take ${noun} off those with access to ${shared.words}`,
        (noun) => `End the sharing of ${shared.words} with ${noun}`,
        (noun) => `Close ${shared.words} to ${noun}`,
      ],
      permits: (db, id) => isSharedWith(db, from, id),
      apply: (db, id) => endShare(db, from, id),
      call: (x) => `apis.photos.unshareAlbum({id:${shared.code},person:${x}})`,
      uses: [shared],
    };
  },
};

const sendPhoto: Action = {
  ...person,
  name: "send-named-photo",
  difficulty: 2,
  draw: (draw) => {
    const photo = photoValue(draw);
    if (!photo) return undefined;
    return {
      frames: [
        (noun) => `In the photo app, send ${photo.words} to ${noun}`,
        (noun) => `Use the photo app to send ${photo.words} to ${noun}`,
        (noun) => `Let the photo app send ${photo.words} to ${noun}`,
        (noun) => `Through the photo app, send ${photo.words} to ${noun}`,
        (noun) => `With the photo app, send ${photo.words} to ${noun}`,
      ],
      permits: isWelcome,
      apply: (db, id) => {
        db.insert(sentPhotos, { photo: photo.value.id, person: id, note: "", at: NOW });
      },
      call: (x) => `apis.photos.send({id:${photo.code},to:${x}})`,
      uses: [photo],
    };
  },
};

const noteInPhoto: Action = {
  ...person,
  name: "note-in-photo",
  difficulty: 2,
  draw: (draw) => {
    const photo = photoValue(draw, ({ kind }) => kind !== "scan");
    if (!photo) return undefined;
    const id = photo.value.id;
    return {
      frames: [
        (noun) => `Note in the photo app that ${photo.words} shows ${noun}`,
        (noun) => `Add ${noun} to the people in ${photo.words}`,
        (noun) => `Enter ${noun} as people in ${photo.words}`,
        (noun) => `Put ${noun} on the list of people in ${photo.words}`,
        (noun) => `Record in the photo app that ${photo.words} shows ${noun}`,
      ],
      permits: (db, who) => !peopleIn(db, id).includes(who),
      apply: (db, who) => addFace(db, id, who),
      call: (x) => `apis.photos.addPerson({id:${photo.code},person:${x}})`,
      uses: [photo],
    };
  },
};

export const albumActions: readonly Action[] = [
  share,
  unshare,
  remove,
  addPhoto,
  link,
  leave,
  contribute,
  nameFace,
  confirmGuess,
  ignoreFace,
  revokeLink,
  extendLink,
  letIn,
  shutOut,
  sendPhoto,
  noteInPhoto,
];
