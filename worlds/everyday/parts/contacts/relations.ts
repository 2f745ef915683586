/** Relations from contacts to partners, group members and what is noted about them, and back. */
import {
  allItemsExpression,
  distinctFromEach,
  everyoneWhoDoesToEach,
  relationBetween,
  relations,
  rowsReferencing,
} from "bowline/goals";
import { couples, gifts, meetings, remarks } from "../../apps/contacts/tables.ts";
import { members } from "../../apps/tables.ts";
import { relationToPeople } from "./contacts-and-messages.ts";

export const contactRelations = relations("contacts", {
  /** This relation leads from people to their partners, and leaves out people without a partner. */
  partners: relationBetween("people", "people", {
    relatedIds: (id, db) => [
      ...db.where(couples, { first: id }).map(({ second }) => second),
      ...db.where(couples, { second: id }).map(({ first }) => first),
    ],
    code: (from) =>
      `[...new Set(${from}.map(k=>apis.contacts.profile({person:k}).partner).filter(k=>k!==null))]`,
  })`the partners of # | whoever forms a couple with # | the other halves of #
    | those who are in a couple with # | the people noted in Contacts as partners of #`,
  gifted: relationToPeople("gifts", gifts, "contacts.gifts", "person")`the receivers in #
    | everyone who is a receiver in # | the people that are receivers in #
    | whoever is a receiver in # | those who appear as receivers in #`,
  "gift-ideas": relationBetween("people", "gifts", {
    relatedIds: rowsReferencing(gifts, "person", { given: false }),
    code: distinctFromEach(
      `${allItemsExpression("contacts.gifts", "person:k,given:false")}.map(x=>x.id)`,
    ),
  })`the open gift ideas for # | all gifts in Contacts for # that are not given yet
    | the gift ideas in Contacts for # that are still open
    | what Contacts has as open gift ideas for # | those gift ideas for # that I have not given`,
  met: relationToPeople("meetings", meetings, "contacts.meetings", "person")`
    the people that appear in # | everyone who appears in # | the people recorded in #
    | whoever is recorded in # | everybody found in #`,
  remarked: relationToPeople("remarks", remarks, "contacts.remarks", "person")`
    the people described in # | everyone described in # | those described in #
    | whoever is described in # | the people who are the subject of #`,
  members: relationBetween("groups", "people", {
    wordsForEach: everyoneWhoDoesToEach("belongs to"),
    relatedIds: rowsReferencing(members, "group", {}, "person"),
    code: distinctFromEach(
      `${allItemsExpression("contacts.groupMembers", "group:k")}.map(x=>x.handle)`,
    ),
  })`the members of # | everybody who belongs to # | the people in # | all who are in #
    | everyone from #`,
});
