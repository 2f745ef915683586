/** What contacts can do to gifts, remarks, meetings and groups. */

import type { Action } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { gifts, meetings, remarks } from "../../apps/contacts/tables.ts";
import { groups, members } from "../../apps/tables.ts";
import { part } from "./part.ts";

const isOpen = (db: Reader, id: number) => db.get(gifts, id)?.given === false;

const give = part("gifts", "give", () => ({
  frames: [
    (noun) => `Mark ${noun} as given`,
    (noun) => `Note in Contacts that I gave ${noun}`,
    (noun) => `Set ${noun} to given`,
    (noun) => `Let Contacts count ${noun} as given`,
    (noun) => `Record ${noun} as given`,
  ],
  permits: isOpen,
  apply: (db, id) => db.update(gifts, id, { given: true }),
  call: (x) => `apis.contacts.giveGift({id:${x}})`,
}));

const reprice = part(
  "gifts",
  "reprice",
  (draw) => {
    const price = draw.value("money");
    const m = price.words;
    return {
      frames: [
        (noun) => `Change the price of ${noun} to ${m}`,
        (noun) => `Set the price of ${noun} to ${m}`,
        (noun) => `Let the price of ${noun} be ${m}`,
        (noun) => `Correct the price of ${noun} to ${m}`,
        (noun) => `Note ${m} as the price of ${noun}`,
      ],
      permits: (db, id) => isOpen(db, id) && db.get(gifts, id)!.cents !== price.value,
      apply: (db, id) => db.update(gifts, id, { cents: price.value }),
      call: (x) => `apis.contacts.repriceGift({id:${x},amount:${price.code}})`,
      uses: [price],
    };
  },
  "money",
);

const dropGift = part("gifts", "drop", () => ({
  frames: [
    (noun) => `Remove ${noun}`,
    (noun) => `Delete ${noun}`,
    (noun) => `Drop ${noun} from Contacts`,
    (noun) => `Strike ${noun} from Contacts`,
    (noun) => `Discard ${noun}`,
  ],
  permits: isOpen,
  apply: (db, id) => db.remove(gifts, id),
  call: (x) => `apis.contacts.dropGift({id:${x}})`,
}));

const dropRemark = part("remarks", "drop", () => ({
  frames: [
    (noun) => `Remove ${noun}`,
    (noun) => `Delete ${noun}`,
    (noun) => `Drop ${noun} from Contacts`,
    (noun) => `Strike ${noun} from Contacts`,
    (noun) => `Discard ${noun}`,
  ],
  apply: (db, id) => db.remove(remarks, id),
  call: (x) => `apis.contacts.dropRemark({id:${x}})`,
}));

const changeRemark = part(
  "remarks",
  "change",
  (draw) => {
    const text = draw.value("text");
    const t = text.words;
    return {
      frames: [
        (noun) => `Change the text of ${noun} to ${t}`,
        (noun) => `Replace the text of ${noun} by ${t}`,
        (noun) => `Let ${noun} read ${t} from now on`,
        (noun) => `Rewrite ${noun} as ${t}`,
        (noun) => `Put ${t} in place of the text of ${noun}`,
      ],
      permits: (db, id) => text.value.length <= 100 && db.get(remarks, id)!.text !== text.value,
      apply: (db, id) => db.update(remarks, id, { text: text.value }),
      call: (x) => `apis.contacts.changeRemark({id:${x},text:${text.code}})`,
      uses: [text],
    };
  },
  "text",
);

const dropMeeting = part("meetings", "drop", () => ({
  frames: [
    (noun) => `Remove ${noun}`,
    (noun) => `Delete ${noun}`,
    (noun) => `Drop ${noun} from Contacts`,
    (noun) => `Strike ${noun} from Contacts`,
    (noun) => `Discard ${noun}`,
  ],
  apply: (db, id) => db.remove(meetings, id),
  call: (x) => `apis.contacts.dropMeeting({id:${x}})`,
}));

const removeGroup = part("groups", "remove", () => ({
  frames: [
    (noun) => `Remove ${noun}, but keep everybody as contacts`,
    (noun) => `Delete ${noun} while keeping the people`,
    (noun) => `Dissolve ${noun}; everybody stays in my contacts`,
    (noun) => `Get rid of ${noun} without removing anyone from my contacts`,
    (noun) => `Do away with ${noun}, though not with the contacts in it`,
  ],
  apply: (db, group) => {
    for (const { id } of db.where(members, { group })) db.remove(members, id);
    db.remove(groups, group);
  },
  call: (x) => `apis.contacts.removeGroup({group:${x}})`,
}));

const joinGroups = part("groups", "add-person", (draw) => {
  const person = draw.person();
  if (!person) return undefined;
  const p = person.words;
  return {
    frames: [
      (noun) => `Add ${p} to ${noun}`,
      (noun) => `Put ${p} into ${noun}`,
      (noun) => `Make ${p} a member of ${noun}`,
      (noun) => `Let ${p} join ${noun}`,
      (noun) => `Have ${p} become part of ${noun}`,
    ],
    permits: (db, group) => db.where(members, { group, person: person.value.id }).length === 0,
    apply: (db, group) => db.insert(members, { group, person: person.value.id }),
    call: (x) => `apis.contacts.addToGroup({group:${x},person:${person.code}})`,
    uses: [person],
  };
});

export const belongingActions: readonly Action[] = [
  give,
  reprice,
  dropGift,
  dropRemark,
  changeRemark,
  dropMeeting,
  removeGroup,
  joinGroups,
];
