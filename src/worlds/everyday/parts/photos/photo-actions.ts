/** What can be done with own photos in the house: marks, albums, the trash, edits. */
import type { Action } from "../../../../goals/index.ts";
import { edits, photoRows, placed, tags } from "../../apps/photos/tables.ts";
import { albumValue, holdsPhoto, isOwn, js, peopleIn } from "./looks.ts";
import { addFace, setPhoto } from "./writes.ts";

const photo = { kind: "photos", app: "photos" } as const;

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
      apply: (db, id) => setPhoto(db, id, { favourite: wanted }),
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
    apply: (db, id) => setPhoto(db, id, { hidden: true }),
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
      apply: (db, id) => setPhoto(db, id, { caption: text.value }),
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
    apply: (db, id) => setPhoto(db, id, { trashed: true }),
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
];
