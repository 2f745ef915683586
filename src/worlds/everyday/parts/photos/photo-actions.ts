/** What can be done with photos: own ones, those of contacts, those in the trash, those that are there twice. */
import type { Writer } from "../../../../world/index.ts";
import type { Action } from "../../algebra/parts.ts";
import {
  comments,
  edits,
  likes,
  links,
  type Photo,
  photoRows,
  placed,
  sentPhotos,
  tags,
} from "../../apps/photos/tables.ts";
import { texts, todoLists, todos } from "../../apps/tables.ts";
import { NOW } from "../../population/time.ts";
import { albumValue, holdsPhoto, isOwn, js, peopleIn } from "./looks.ts";
import { addFace } from "./writes.ts";

/** Instants are not content; any will do. */
const AT = NOW;

const photo = { kind: "photos", app: "photos" } as const;

function set(db: Writer, id: number, patch: Partial<Photo>): void {
  db.update(photoRows, id, patch);
}

// --- marks ---

const favourite: Action = {
  ...photo,
  name: "favourite",
  difficulty: 1,
  draw: ({ rng }) => {
    const wanted = rng.chance(0.7);
    return {
      frames: wanted
        ? [
            (noun) => `Make favourites of ${noun}`,
            (noun) => `Add ${noun} to my favourites in the photo app`,
            (noun) => `Mark ${noun} as favourites`,
            (noun) => `Put ${noun} among my favourites in the photo app`,
            (noun) => `Set the favourite mark on ${noun}`,
          ]
        : [
            (noun) => `Take ${noun} out of my favourites in the photo app`,
            (noun) => `Remove the favourite mark from ${noun}`,
            (noun) => `No longer mark ${noun} as favourites`,
            (noun) => `Drop ${noun} from my favourites in the photo app`,
            (noun) => `Clear the favourite mark of ${noun}`,
          ],
      permits: (db, id) => {
        const row = db.get(photoRows, id)!;
        return isOwn(row) && row.favourite !== wanted;
      },
      apply: (db, id) => set(db, id, { favourite: wanted }),
      call: wanted
        ? (x) => `apis.photos.favourite({id:${x}})`
        : (x) => `apis.photos.unfavourite({id:${x}})`,
    };
  },
};

const hide: Action = {
  ...photo,
  name: "hide",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Hide ${noun}`,
      (noun) => `Set ${noun} to hidden`,
      (noun) => `Make ${noun} hidden in the photo app`,
      (noun) => `Let ${noun} be hidden from now on`,
      (noun) => `Turn ${noun} into hidden photos`,
    ],
    permits: (db, id) => {
      const row = db.get(photoRows, id)!;
      return isOwn(row) && !row.hidden;
    },
    apply: (db, id) => set(db, id, { hidden: true }),
    call: (x) => `apis.photos.hide({id:${x}})`,
  }),
};

const NEW_TAGS = ["send to grandma", "for the poster", "winter book", "keep forever", "slideshow"];

const tag: Action = {
  ...photo,
  name: "tag",
  difficulty: 1,
  draw: ({ rng }) => {
    const label = rng.pick(NEW_TAGS);
    return {
      frames: [
        (noun) => `Tag ${noun} with "${label}"`,
        (noun) => `Add the tag "${label}" to ${noun}`,
        (noun) => `Put the tag "${label}" on ${noun}`,
        (noun) => `Give the tag "${label}" to ${noun}`,
        (noun) => `Attach the tag "${label}" to ${noun}`,
      ],
      permits: (db, id) =>
        isOwn(db.get(photoRows, id)!) && db.where(tags, { photo: id, tag: label }).length === 0,
      apply: (db, id) => {
        db.insert(tags, { photo: id, tag: label });
      },
      call: (x) => `apis.photos.tag({id:${x},tag:${js(label)}})`,
    };
  },
};

const caption: Action = {
  ...photo,
  name: "caption",
  difficulty: 1,
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (noun) => `Set the caption of ${noun} to ${text.words}`,
        (noun) => `Use ${text.words} as the caption of ${noun}`,
        (noun) => `Replace the caption of ${noun} with ${text.words}`,
        (noun) => `Make ${text.words} the caption of ${noun}`,
        (noun) => `Take ${text.words} for the caption of ${noun}`,
      ],
      permits: (db, id) => isOwn(db.get(photoRows, id)!) && text.value.length <= 200,
      apply: (db, id) => set(db, id, { caption: text.value }),
      call: (x) => `apis.photos.caption({id:${x},caption:${text.code}})`,
      uses: [text],
    };
  },
};

const addPerson: Action = {
  ...photo,
  name: "add-person",
  difficulty: 2,
  draw: (draw) => {
    const friend = draw.person();
    if (!friend) return undefined;
    return {
      frames: [
        (noun) => `Note that ${friend.words} is in ${noun}`,
        (noun) => `Add ${friend.words} to the people in ${noun}`,
        (noun) => `Enter ${friend.words} as a person in ${noun}`,
        (noun) => `Put ${friend.words} on the list of people in ${noun}`,
        (noun) => `Record that ${friend.words} can be seen in ${noun}`,
      ],
      permits: (db, id) =>
        isOwn(db.get(photoRows, id)!) && !peopleIn(db, id).includes(friend.value.id),
      apply: (db, id) => addFace(db, id, friend.value.id),
      call: (x) => `apis.photos.addPerson({id:${x},person:${friend.code}})`,
      uses: [friend],
    };
  },
};

// --- albums ---

const addToAlbum: Action = {
  ...photo,
  name: "add-to-album",
  difficulty: 2,
  draw: (draw) => {
    const album = albumValue(draw);
    if (!album) return undefined;
    return {
      frames: [
        (noun) => `Put ${noun} into ${album.words}`,
        (noun) => `Add ${noun} to ${album.words}`,
        (noun) => `Place ${noun} in ${album.words}`,
        (noun) => `Include ${noun} in ${album.words}`,
        (noun) => `File ${noun} in ${album.words}`,
      ],
      permits: (db, id) =>
        isOwn(db.get(photoRows, id)!) &&
        db.where(placed, { album: album.value.id, photo: id }).length === 0,
      apply: (db, id) => {
        db.insert(placed, { album: album.value.id, photo: id, removed: false });
      },
      call: (x) => `apis.photos.addToAlbum({album:${album.code},photo:${x}})`,
      uses: [album],
    };
  },
};

const removeFromAlbum: Action = {
  ...photo,
  name: "remove-from-album",
  difficulty: 2,
  draw: (draw) => {
    const album = albumValue(draw);
    if (!album) return undefined;
    return {
      frames: [
        (noun) => `Take ${noun} out of ${album.words}`,
        (noun) => `Remove ${noun} from ${album.words}`,
        (noun) => `Drop ${noun} from ${album.words}`,
        (noun) => `Delete ${noun} from ${album.words}, but from nowhere else`,
        (noun) => `Clear ${noun} out of ${album.words}`,
      ],
      permits: (db, id) =>
        isOwn(db.get(photoRows, id)!) &&
        album.value.cover !== id &&
        holdsPhoto(db, album.value.id, id),
      apply: (db, id) => {
        const [row] = db.where(placed, { album: album.value.id, photo: id });
        db.update(placed, row!.id, { removed: true });
      },
      call: (x) => `apis.photos.removeFromAlbum({album:${album.code},photo:${x}})`,
      uses: [album],
    };
  },
};

// --- care ---

const trash: Action = {
  ...photo,
  name: "trash",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Move ${noun} to the trash`,
      (noun) => `Delete ${noun}`,
      (noun) => `Throw ${noun} away`,
      (noun) => `Put ${noun} into the trash`,
      (noun) => `Trash ${noun}`,
    ],
    permits: (db, id) => isOwn(db.get(photoRows, id)!),
    apply: (db, id) => set(db, id, { trashed: true }),
    call: (x) => `apis.photos.remove({id:${x}})`,
  }),
};

const rotate: Action = {
  ...photo,
  name: "rotate",
  difficulty: 1,
  draw: ({ rng }) => {
    const degrees = 90 * rng.integer(1, 3);
    return {
      frames: [
        (noun) => `Rotate ${noun} clockwise by ${degrees} degrees`,
        (noun) => `Turn ${noun} clockwise by ${degrees} degrees`,
        (noun) => `Give ${noun} a clockwise rotation of ${degrees} degrees`,
        (noun) => `Apply a clockwise rotation of ${degrees} degrees to ${noun}`,
        (noun) => `Edit ${noun} with a clockwise rotation of ${degrees} degrees`,
      ],
      permits: (db, id) => isOwn(db.get(photoRows, id)!),
      apply: (db, id) => {
        db.insert(edits, { photo: id, kind: "rotate", amount: degrees, reverted: false });
      },
      call: (x) => `apis.photos.rotate({id:${x},degrees:${degrees}})`,
    };
  },
};

const monochrome: Action = {
  ...photo,
  name: "monochrome",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Make ${noun} black and white`,
      (noun) => `Turn ${noun} black and white`,
      (noun) => `Edit ${noun} to be black and white`,
      (noun) => `Convert ${noun} to black and white`,
      (noun) => `Change ${noun} to black and white`,
    ],
    permits: (db, id) =>
      isOwn(db.get(photoRows, id)!) &&
      db.where(edits, { photo: id, kind: "monochrome", reverted: false }).length === 0,
    apply: (db, id) => {
      db.insert(edits, { photo: id, kind: "monochrome", amount: null, reverted: false });
    },
    call: (x) => `apis.photos.monochrome({id:${x}})`,
  }),
};

const revert: Action = {
  ...photo,
  name: "revert",
  difficulty: 1,
  draw: (draw) => ({
    frames: [
      (noun) => `Revert all edits of ${noun}`,
      (noun) => `Bring ${noun} back to the original by reverting every edit`,
      (noun) => `Undo every edit of ${noun}`,
      (noun) => `Restore the original look of ${noun} by undoing all edits`,
      (noun) => `Take back all edits of ${noun}`,
    ],
    permits: (db, id) =>
      isOwn(db.get(photoRows, id)!) &&
      db.where(edits, { photo: id, reverted: false }).length > 0 &&
      // Another edit of the same task would be reverted or not, depending on which comes first.
      db.where(edits, { photo: id }).length === draw.db.where(edits, { photo: id }).length,
    apply: (db, id) => {
      for (const row of db.where(edits, { photo: id, reverted: false })) {
        db.update(edits, row.id, { reverted: true });
      }
    },
    call: (x) => `apis.photos.revert({id:${x},all:true})`,
  }),
};

// --- others ---

const send: Action = {
  ...photo,
  name: "send-photo",
  difficulty: 2,
  draw: (draw) => {
    const friend = draw.person();
    if (!friend) return undefined;
    return {
      frames: [
        (noun) => `In the photo app, send ${noun} to ${friend.words}`,
        (noun) => `Use the photo app to send ${noun} to ${friend.words}`,
        (noun) => `Let the photo app send ${noun} to ${friend.words}`,
        (noun) => `Through the photo app, send ${noun} to ${friend.words}`,
        (noun) => `With the photo app, send ${noun} to ${friend.words}`,
      ],
      permits: (db, id) => isOwn(db.get(photoRows, id)!),
      apply: (db, id) => {
        db.insert(sentPhotos, { photo: id, person: friend.value.id, note: "", at: AT });
      },
      call: (x) => `apis.photos.send({id:${x},to:${friend.code}})`,
      uses: [friend],
    };
  },
};

/** To everyone who is in it: each photo has people of its own. */
const sendToShown: Action = {
  ...photo,
  name: "send-to-shown",
  difficulty: 2,
  draw: (draw) => ({
    frames: [
      (noun) => `In the photo app, send ${noun} to everyone who is in the respective photo`,
      (noun) => `Let the photo app send ${noun} to each person shown in the respective photo`,
      (noun) => `Use the photo app to send ${noun} to whoever is in the very photo`,
      (noun) => `To everyone who is in the respective photo, send ${noun} in the photo app`,
      (noun) => `To whomever the respective photo shows, send ${noun} through the photo app`,
    ],
    // A person that the same task adds would get it or not, depending on which comes first.
    permits: (db, id) => {
      const shown = peopleIn(db, id).length;
      return isOwn(db.get(photoRows, id)!) && shown > 0 && shown === peopleIn(draw.db, id).length;
    },
    apply: (db, id) => {
      for (const person of peopleIn(db, id)) {
        db.insert(sentPhotos, { photo: id, person, note: "", at: AT });
      }
    },
    call: (x) =>
      `for(const y of apis.photos.peopleIn({id:${x},size:20}).items)apis.photos.send({id:${x},to:y.handle})`,
  }),
};

const link: Action = {
  ...photo,
  name: "link-photo",
  difficulty: 2,
  takes: "day",
  draw: (draw) => {
    const day = draw.value("day");
    return {
      frames: [
        (noun) => `Make links to ${noun}, one a photo, that expire on ${day.words}`,
        (noun) => `Set up photo links to ${noun}, one each, that work until ${day.words}`,
        (noun) => `Prepare links to ${noun}, one per photo; their last day is ${day.words}`,
        (noun) => `Let links that expire on ${day.words} be made, one a photo, to ${noun}`,
        (noun) => `With ${day.words} as the last day, create a link to each photo among ${noun}`,
      ],
      permits: (db, id) => isOwn(db.get(photoRows, id)!) && day.value >= NOW.slice(0, 10),
      apply: (db, id) => {
        db.insert(links, { photo: id, album: null, expires: day.value, revoked: false });
      },
      call: (x) => `apis.photos.createLink({photo:${x},expires:${day.code}})`,
      uses: [day],
    };
  },
};

const comment = (kind: string): Action => ({
  kind,
  app: "photos",
  name: "comment",
  difficulty: 1,
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (noun) => `Comment on ${noun} with ${text.words}`,
        (noun) => `Write ${text.words} as a comment on ${noun}`,
        (noun) => `Add the comment ${text.words} to ${noun}`,
        (noun) => `Leave ${text.words} as a comment on ${noun}`,
        (noun) => `Put ${text.words} as a comment under ${noun}`,
      ],
      permits: (db, id) => !db.get(photoRows, id)!.trashed,
      apply: (db, id) => {
        const row = { photo: id, person: null, text: text.value, withdrawn: false, at: AT };
        db.insert(comments, row);
      },
      call: (x) => `apis.photos.comment({id:${x},text:${text.code}})`,
      uses: [text],
    };
  },
});

const like = (kind: string): Action => ({
  kind,
  app: "photos",
  name: "like",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Like ${noun}`,
      (noun) => `Give a like to ${noun}`,
      (noun) => `Put a like on ${noun}`,
      (noun) => `Set a like for ${noun}`,
      (noun) => `Leave a like on ${noun}`,
    ],
    permits: (db, id) =>
      !db.get(photoRows, id)!.trashed && db.where(likes, { photo: id, person: null }).length === 0,
    apply: (db, id) => {
      db.insert(likes, { photo: id, person: null, withdrawn: false });
    },
    call: (x) => `apis.photos.like({id:${x}})`,
  }),
});

const textCaption: Action = {
  kind: "photos",
  app: "messages",
  name: "text-caption",
  difficulty: 2,
  draw: (draw) => {
    const friend = draw.person();
    if (!friend) return undefined;
    const rest = "a message for each photo that says its caption and nothing else";
    return {
      frames: [
        (noun) => `Tell ${friend.words} about ${noun}: ${rest}`,
        (noun) => `Let ${friend.words} know of ${noun} by ${rest}`,
        (noun) => `Text ${friend.words} about ${noun}, ${rest}`,
        (noun) => `Message ${friend.words} about ${noun}, with ${rest}`,
        (noun) => `Inform ${friend.words} of ${noun}, by ${rest}`,
      ],
      // A caption that the same task changes would be told old or new, depending on which comes first.
      permits: (db, id) => {
        const { caption, trashed } = db.get(photoRows, id)!;
        return !trashed && caption !== "" && caption === draw.db.get(photoRows, id)!.caption;
      },
      apply: (db, id) => {
        const text = { text: db.get(photoRows, id)!.caption, outgoing: true, replyTo: null };
        const flags = { reaction: null, starred: false, unread: false, at: AT };
        db.insert(texts, { person: friend.value.id, ...text, ...flags });
      },
      call: (x) =>
        `const o=apis.photos.show({id:${x}});apis.messages.send({to:${friend.code},text:o.caption})`,
      uses: [friend],
    };
  },
};

const todoPrint: Action = {
  kind: "photos",
  app: "todo",
  name: "todo-print",
  difficulty: 2,
  draw: () => {
    const form = `"print" and the file name`;
    return {
      frames: [
        (noun) => `Make todos of ${noun}, each of which says ${form}`,
        (noun) => `Put ${noun} on my todo list, each as ${form}`,
        (noun) => `Add ${noun} to my todos, one todo a photo: ${form}`,
        (noun) => `Turn ${noun} into todos, each of the form ${form}`,
        (noun) => `Note ${noun} in my todo app, one todo a photo: ${form}`,
      ],
      permits: (db, id) => !db.get(photoRows, id)!.trashed,
      apply: (db, id) => {
        const list = db.where(todoLists, { name: "inbox" })[0]!.id;
        const title = `print ${db.get(photoRows, id)!.name}`;
        db.insert(todos, { title, list, due: null, done: false });
      },
      call: (x) => `const o=apis.photos.show({id:${x}});apis.todo.add({title:"print "+o.name})`,
    };
  },
};

const restore: Action = {
  name: "restore",
  kind: "trashed-photos",
  app: "photos",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Bring ${noun} back from the trash`,
      (noun) => `Get ${noun} back`,
      (noun) => `Take ${noun} out of the trash`,
      (noun) => `Restore ${noun}`,
      (noun) => `Undelete ${noun}`,
    ],
    permits: (db, id) => db.get(photoRows, id)!.trashed,
    apply: (db, id) => set(db, id, { trashed: false }),
    call: (x) => `apis.photos.restore({id:${x}})`,
  }),
};

const removeCopies: Action = {
  name: "remove-copies",
  kind: "originals",
  app: "photos",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Of ${noun}, keep the largest one of each picture and trash its copies`,
      (noun) => `Trash all smaller copies of ${noun}, so that the largest of each stays`,
      (noun) => `Clean up ${noun}: the largest of each stays, its copies go to the trash`,
      (noun) => `Move to the trash whatever copies there are of ${noun}, except each largest one`,
      (noun) => `Get rid of the copies of ${noun} but keep the largest one of each`,
    ],
    apply: (db, id) => {
      const { digest } = db.get(photoRows, id)!;
      for (const copy of db.where(photoRows, { digest })) {
        if (copy.id !== id && isOwn(copy)) set(db, copy.id, { trashed: true });
      }
    },
    call: (x) => `apis.photos.removeCopies({id:${x}})`,
  }),
};

export const photoActions: readonly Action[] = [
  favourite,
  hide,
  tag,
  caption,
  addPerson,
  addToAlbum,
  removeFromAlbum,
  trash,
  rotate,
  monochrome,
  revert,
  send,
  sendToShown,
  link,
  comment("photos"),
  comment("shared-photos"),
  like("shared-photos"),
  textCaption,
  todoPrint,
  restore,
  removeCopies,
];
