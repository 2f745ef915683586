/** What can be done to received texts: answered, passed on, marked, removed, and paid for. */

import type { Action } from "../../../../goals/index.ts";
import type { Writer } from "../../../../world/index.ts";
import { payments, texts, wallet } from "../../apps/tables.ts";
import { unblocked } from "../contact.ts";
import { AT, js, reachable } from "../contacts/common.ts";
import { centsIn } from "./paid.ts";
import { writeText } from "./writes.ts";

const text = (name: string, draw: Action["draw"], takes?: Action["takes"]): Action => ({
  name,
  kind: "texts",
  app: "messages",
  difficulty: 1,
  draw,
  ...(takes && { takes }),
});

const reply = text(
  "reply",
  (draw) => {
    const said = draw.value("text");
    const t = said.words;
    return {
      frames: [
        (noun) => `Reply to ${noun} with ${t}`,
        (noun) => `Answer ${noun} with ${t}`,
        (noun) => `Send ${t} as a reply to ${noun}`,
        (noun) => `Write ${t} as the answer to ${noun}`,
        (noun) => `Respond to ${noun} with ${t}`,
      ],
      permits: (db, id) => reachable(db, db.get(texts, id)?.person ?? null),
      apply: (db, id) => writeText(db, db.get(texts, id)!.person, said.value, id),
      call: (x) => `apis.messages.reply({id:${x},text:${said.code}})`,
      uses: [said],
    };
  },
  "text",
);

const forward = text("forward", (draw) => {
  const person = draw.person(unblocked(draw));
  if (!person) return undefined;
  const p = person.words;
  return {
    frames: [
      (noun) => `Forward ${noun} to ${p}`,
      (noun) => `Send ${noun} on to ${p}`,
      (noun) => `Pass ${noun} on to ${p}`,
      (noun) => `Let ${p} have a forward of ${noun}`,
      (noun) => `Relay ${noun} to ${p}`,
    ],
    permits: (db, id) => db.get(texts, id) !== undefined && reachable(db, person.value.id),
    apply: (db, id) => writeText(db, person.value.id, db.get(texts, id)!.text),
    call: (x) => `apis.messages.forward({id:${x},to:${person.code}})`,
    uses: [person],
  };
});

const react = text("react", ({ rng }) => {
  const reaction = rng.pick(["like", "love", "laugh", "sad"]);
  const r = js(reaction);
  return {
    frames: [
      (noun) => `React to ${noun} with ${r}`,
      (noun) => `Put the reaction ${r} on ${noun}`,
      (noun) => `Give ${noun} the reaction ${r}`,
      (noun) => `Use ${r} as my reaction to ${noun}`,
      (noun) => `Let my reaction to ${noun} be ${r}`,
    ],
    permits: (db, id) => {
      const row = db.get(texts, id);
      return row !== undefined && row.reaction !== reaction;
    },
    apply: (db, id) => db.update(texts, id, { reaction }),
    call: (x) => `apis.messages.react({id:${x},kind:${r}})`,
  };
});

const star = text("star", () => ({
  frames: [
    (noun) => `Star ${noun}`,
    (noun) => `Put a star on ${noun}`,
    (noun) => `Mark ${noun} with a star`,
    (noun) => `Give ${noun} a star`,
    (noun) => `Add a star to ${noun}`,
  ],
  permits: (db, id) => db.get(texts, id)?.starred === false,
  apply: (db, id) => db.update(texts, id, { starred: true }),
  call: (x) => `apis.messages.star({id:${x}})`,
}));

const remove = text("remove", () => ({
  frames: [
    (noun) => `Remove ${noun}`,
    (noun) => `Delete ${noun}`,
    (noun) => `Discard ${noun}`,
    (noun) => `Get rid of ${noun}`,
    (noun) => `Throw away ${noun}`,
  ],
  permits: (db, id) => db.get(texts, id) !== undefined,
  apply: (db, id) => db.remove(texts, id),
  call: (x) => `apis.messages.remove({id:${x}})`,
}));

/** The amount and whom to pay stand in the message. */
const reimburse: Action = {
  ...text("reimburse", (draw) => {
    const note = draw.rng.pick(["my share", "thank you", "as agreed", "for everything"]);
    const n = js(note);
    const paid = (id: number, db: Writer) => centsIn(db.get(texts, id)!.text);
    return {
      frames: [
        (noun) => `Pay the sender of ${noun} the amount named in it, with the Pay note ${n}`,
        (noun) => `For ${noun}, pay the sender the amount named there, with the note ${n} in Pay`,
        (noun) => `Use Pay to send the sender of ${noun} the amount that it names, noting ${n}`,
        (noun) => `With the Pay note ${n}, pay whoever sent ${noun} the amount named in it`,
        (noun) =>
          `Settle ${noun}: pay the amount named in it to its sender, with the Pay note ${n}`,
      ],
      permits: (db, id) => {
        const row = db.get(texts, id);
        if (!row || !reachable(db, row.person)) return false;
        const cents = centsIn(row.text);
        return cents > 0 && cents * 9 < (db.all(wallet)[0]?.cents ?? 0);
      },
      apply: (db, id) => {
        const row = { person: db.get(texts, id)!.person, cents: paid(id, db), note };
        db.insert(payments, { ...row, outgoing: true, request: null, at: AT });
      },
      call: (x) =>
        `const m=apis.messages.show({id:${x}});apis.pay.send({to:m.from,amount:Number(/\\$(\\d+\\.\\d\\d)/.exec(m.text)[1]),note:${n}})`,
    };
  }),
  app: "pay",
  difficulty: 2,
};

export const textActions: readonly Action[] = [reply, forward, react, star, remove, reimburse];
