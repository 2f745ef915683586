/** What leaves the house with photos (sent, linked, commented, told), and what is done with trash and copies. */
import type { Action } from "../../../../goals/index.ts";
import { comments, likes, links, photoRows, sentPhotos } from "../../apps/photos/tables.ts";
import { texts, todoLists, todos } from "../../apps/tables.ts";
import { NOW } from "../../population/time.ts";
import { isOwn, peopleIn } from "./looks.ts";
import { setPhoto } from "./writes.ts";

/** Instants are not content; any will do. */
const AT = NOW;

const own = { kind: "photos", app: "photos" } as const;

const send: Action = {
  ...own,
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
  ...own,
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
  ...own,
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
    apply: (db, id) => setPhoto(db, id, { trashed: false }),
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
        if (copy.id !== id && isOwn(copy)) setPhoto(db, copy.id, { trashed: true });
      }
    },
    call: (x) => `apis.photos.removeCopies({id:${x}})`,
  }),
};

export const sendingActions: readonly Action[] = [
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
