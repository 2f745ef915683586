/** What leaves the house with photos (sent, linked, commented, told), and what is done with trash and copies. */
import { type Action, type ActionKit, actions, withFriend } from "../../../../goals/index.ts";
import { comments, likes, links, type Photo, photoRows } from "../../apps/photos/tables.ts";
import { NOW, TODAY } from "../../population/time.ts";
import { addTodo, elsewhere, telling } from "../music/telling.ts";
import { isOwn, peopleIn } from "./looks.ts";
import { send } from "./writes.ts";

const isThere = ({ trashed }: Photo) => !trashed;

const commenting = ({ adds, taking }: ActionKit<Photo>) =>
  taking("text", ({ value: text, words, code }) => {
    return adds(
      comments,
      ({ id }) => ({ photo: id, person: null, text, withdrawn: false, at: NOW }),
      {
        when: isThere,
        api: "comment",
        args: `text:${code}`,
      },
    )`Comment on # with ${words} | Write ${words} as a comment on # | Add the comment ${words} to #
      | Leave ${words} as a comment on # | Put ${words} as a comment under #`;
  });

const on = (kind: string) => ({ kind, app: "photos", table: photoRows });

const ownActions = actions<Photo>(on("photos"), (kit) => ({
  "send-photo": withFriend(({ value, words, code }) => {
    return kit.does((db, { id }) => send(db, id, value.id), {
      when: isOwn,
      api: "send",
      args: `to:${code}`,
    })`In the photo app, send # to ${words} | Use the photo app to send # to ${words}
      | Let the photo app send # to ${words} | Through the photo app, send # to ${words}
      | With the photo app, send # to ${words}`;
  }),
  /** To everyone who is in it: each photo has people of its own. */
  "send-to-shown": kit.hard(
    kit.drawn((draw) => {
      return kit.does(
        (db, { id }) => {
          for (const person of peopleIn(db, id)) send(db, id, person);
        },
        {
          // A person that the same task adds would get it or not, depending on which comes first.
          when: (row, db) => {
            const shown = peopleIn(db, row.id).length;
            return isOwn(row) && shown > 0 && shown === peopleIn(draw.db, row.id).length;
          },
          call: "for(const y of apis.photos.peopleIn({id:x,size:20}).items)apis.photos.send({id:x,to:y.handle})",
        },
      )`In the photo app, send # to everyone who is in the respective photo
        | Let the photo app send # to each person shown in the respective photo
        | Use the photo app to send # to whoever is in the very photo
        | To everyone who is in the respective photo, send # in the photo app
        | To whomever the respective photo shows, send # through the photo app`;
    }),
  ),
  "link-photo": kit.hard(
    kit.taking("day", ({ value: expires, words, code }) => {
      return kit.adds(links, ({ id }) => ({ photo: id, album: null, expires, revoked: false }), {
        when: (row) => isOwn(row) && expires >= TODAY,
        call: `apis.photos.createLink({photo:x,expires:${code}})`,
      })`Make links to #, one a photo, that expire on ${words}
        | Set up photo links to #, one each, that work until ${words}
        | Prepare links to #, one per photo; their last day is ${words}
        | Let links that expire on ${words} be made, one a photo, to #
        | With ${words} as the last day, create a link to each photo among #`;
    }),
  ),
  comment: commenting(kit),
}));

const otherActions = actions<Photo>(on("shared-photos"), (kit) => ({
  comment: commenting(kit),
  like: kit.adds(likes, ({ id }) => ({ photo: id, person: null, withdrawn: false }), {
    when: (row, db) =>
      isThere(row) && db.where(likes, { photo: row.id, person: null }).length === 0,
    api: "like",
  })`Like # | Give a like to # | Put a like on # | Set a like for # | Leave a like on #`,
}));

const toldActions = actions<Photo>(on("photos"), (kit) => ({
  // A caption that the same task changes would be told old or new, depending on which comes first.
  "text-caption": telling(
    kit,
    { thing: "photo", property: "caption", api: "photos.show" },
    ({ id, trashed, caption }, _, before) =>
      !trashed && caption !== "" && caption === before.get(photoRows, id)!.caption,
  ),
  "todo-print": kit.hard(
    kit.does((db, { name }) => addTodo(db, `print ${name}`, null), {
      when: isThere,
      call: 'const o=apis.photos.show({id:x});apis.todo.add({title:"print "+o.name})',
    })`Make todos of #, each of which says "print" and the file name
      | Put # on my todo list, each as "print" and the file name
      | Add # to my todos, one todo a photo: "print" and the file name
      | Turn # into todos, each of the form "print" and the file name
      | Note # in my todo app, one todo a photo: "print" and the file name`,
  ),
}));

const trashActions = actions<Photo>(on("trashed-photos"), ({ sets }) => ({
  restore: sets({ trashed: false }, { when: ({ trashed }) => trashed, api: "restore" })`
    Bring # back from the trash | Get # back | Take # out of the trash | Restore # | Undelete #`,
}));

const copyActions = actions<Photo>(on("originals"), ({ does }) => ({
  "remove-copies": does(
    (db, { id, digest }) => {
      for (const copy of db.where(photoRows, { digest })) {
        if (copy.id !== id && isOwn(copy)) db.update(photoRows, copy.id, { trashed: true });
      }
    },
    { api: "removeCopies" },
  )`Of #, keep the largest one of each picture and trash its copies
    | Trash all smaller copies of #, so that the largest of each stays
    | Clean up #: the largest of each stays, its copies go to the trash
    | Move to the trash whatever copies there are of #, except each largest one
    | Get rid of the copies of # but keep the largest one of each`,
}));

export const sendingActions: readonly Action[] = elsewhere(
  { "text-caption": "messages", "todo-print": "todo" },
  [...ownActions, ...otherActions, ...toldActions, ...trashActions, ...copyActions],
);
