/** What contacts can do to gifts, remarks, meetings and groups. */
import { type Action, type ActionSpec, actions, type Tagged } from "../../../../goals/index.ts";
import type { TableRow } from "../../../../world/index.ts";
import { type Gift, gifts, meetings, remarks } from "../../apps/contacts/tables.ts";
import { groups, members } from "../../apps/tables.ts";
import { there } from "./facts.ts";

const isOpen = ({ given }: Gift) => !given;

/** In the words for whatever is noted about people. */
const dropped = <R extends TableRow>(removal: Tagged<ActionSpec<R>>) =>
  removal`Remove # | Delete # | Drop # from Contacts | Strike # from Contacts | Discard #`;

const giftActions = actions(
  { kind: "gifts", app: "contacts", table: gifts },
  ({ removes, sets, taking }) => ({
    give: sets({ given: true }, { when: isOpen, api: "giveGift" })`Mark # as given
      | Note in Contacts that I gave # | Set # to given | Let Contacts count # as given
      | Record # as given`,
    reprice: taking(
      "money",
      ({ value: cents, words, code }) =>
        sets(
          { cents },
          {
            when: (gift) => isOpen(gift) && gift.cents !== cents,
            api: "repriceGift",
            args: `amount:${code}`,
          },
        )`Change the price of # to ${words} | Set the price of # to ${words}
        | Let the price of # be ${words} | Correct the price of # to ${words}
        | Note ${words} as the price of #`,
    ),
    drop: dropped(removes({ when: isOpen, api: "dropGift" })),
  }),
);

const remarkActions = actions(
  { kind: "remarks", app: "contacts", table: remarks },
  ({ removes, sets, taking }) => ({
    drop: dropped(removes({ when: there, api: "dropRemark" })),
    change: taking(
      "text",
      ({ value: text, words, code }) =>
        sets(
          { text },
          {
            when: (remark) => text.length <= 100 && remark.text !== text,
            api: "changeRemark",
            args: `text:${code}`,
          },
        )`Change the text of # to ${words} | Replace the text of # by ${words}
        | Let # read ${words} from now on | Rewrite # as ${words}
        | Put ${words} in place of the text of #`,
    ),
  }),
);

const meetingActions = actions(
  { kind: "meetings", app: "contacts", table: meetings },
  ({ removes }) => ({ drop: dropped(removes({ when: there, api: "dropMeeting" })) }),
);

const groupActions = actions(
  { kind: "groups", app: "contacts", table: groups, key: "group" },
  ({ adds, does, drawn }) => ({
    remove: does(
      (db, { id: group }) => {
        for (const { id } of db.where(members, { group })) db.remove(members, id);
        db.remove(groups, group);
      },
      { when: there, api: "removeGroup" },
    )`Remove #, but keep everybody as contacts | Delete # while keeping the people
      | Dissolve #; everybody stays in my contacts
      | Get rid of # without removing anyone from my contacts
      | Do away with #, though not with the contacts in it`,
    "add-person": drawn((draw) => {
      const named = draw.person();
      if (!named) return undefined;
      const { value, words, code } = named;
      const place = (group: number) => ({ group, person: value.id });
      return adds(members, ({ id }) => place(id), {
        when: ({ id }, db) => db.where(members, place(id)).length === 0,
        api: "addToGroup",
        args: `person:${code}`,
        uses: [named],
      })`Add ${words} to # | Put ${words} into # | Make ${words} a member of #
        | Let ${words} join # | Have ${words} become part of #`;
    }),
  }),
);

export const belongingActions: readonly Action[] = [
  ...giftActions,
  ...remarkActions,
  ...meetingActions,
  ...groupActions,
];
