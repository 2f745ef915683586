/**
 * The sentences that people in this world send one another and write down. What is written depends on where it is
 * written: a reason for a dispute is not the description of a playlist.
 */

import type { ComposedSplit } from "bowline/goals";
import type { Rng } from "bowline/world";

/** Sentences by place, those of training before the bar `/` and those of the test splits after it. */
const SENTENCES = {
  letter: `see you soon | the plan has changed, call me | thanks for everything last week
    | please send me the address again | I will be half an hour late | we meet at the north gate
    | let us talk about it on Monday | I have your umbrella | the tickets are at the door
    / could you confirm by tonight | the doctor moved my appointment | dinner is on me next time
    | the parcel has arrived | good luck tomorrow | the car is ready to be picked up
    | do not forget the charger | our table is booked for eight`,
  memo: `ask for the opening hours first | bring exact change | the key is under the blue pot
    | the parking is behind the house | check the price once more
    / the bell does not work, knock | call before ten in the morning | the second floor, on the left
    | take the measurements along | the receipt is in the drawer`,
  todo: `call the office about it | this can wait until Friday | half of it is done already
    | I need help with this one | ask the neighbours first
    / the shop opens at nine | look for the papers first | this is more urgent than it looks
    | I have started with the first part | wait for the answer before going on`,
  step: `find the old papers | ask for a second price | write down the open questions | buy what is missing
    | clear the table / make a copy for the files | call to confirm the day | put everything into one folder
    | check the measurements | send a short report`,
  dispute: `I never ordered this | this was charged twice | the amount is too high | the order never arrived
    | I had cancelled before / I do not know this company | the goods came back to the shop | the price was agreed to be lower
    | my card was with me all the time | I had already paid in cash`,
  review: `does what it should | good, but smaller than I thought | I would buy it again | it broke after two weeks
    | well made and easy to clean / better than the old one | not worth the price | arrived quickly and works well
    | the colour is not as in the picture | a useful present`,
  question: `does it fit through a narrow door | how long is the guarantee | are spare parts sold
    | is it suitable for children | does it need batteries / can it be washed by machine | how loud is it
    | is it made of real wood | does it come in other colours | may it stand outside`,
  music: `for long evenings at home | songs that everybody knows | to wake up slowly | nothing too loud
    | what we heard last summer / for the way to work | only the ones I never skip | good with the windows open
    | what the band should learn | for a rainy Sunday`,
  caption: `the light was perfect | everybody was still awake | just before the rain | the best day of the week
    | look at the dog / before we got lost | the view from the top | after the long walk | nobody was ready for this
    | our favourite corner`,
  thanks: `thank you for paying | that was for the tickets | dinner was lovely | I owe you one
    | now we are even / thanks, it arrived | this was for the taxi | that was quick | next time it is my turn
    | the rest follows next week`,
  gift: `all the best | for your new home | I hope it fits | enjoy it | with love from me
    / congratulations | thinking of you | for the best neighbour | a small thank-you | happy birthday`,
  debt: `could you pay back your share | we should settle this soon | the trip is still open between us
    | please look at our balance | I would like to close the group
    / can we settle up this week | a friendly word about your share | please transfer the rest
    | there is still something open | the dinner is not settled yet`,
  signature: `kind regards | all the best | yours | with warm greetings | many thanks
    / greetings from the garden | best wishes | until soon | cordially | sent on the way`,
} as const;

type Place = keyof typeof SENTENCES;

/** Which actions and deeds write something other than a letter. */
const PLACES: { readonly [purpose: string]: Place } = {
  "split.remind": "debt",
  "split.comment": "thanks",
  "notes.append": "memo",
  "notes.add": "memo",
  "notes.add-item": "step",
  "pay.comment": "thanks",
  "bank.dispute": "dispute",
  "bank.annotate": "memo",
  "bank.transfer-noted": "thanks",
  "pay.send-noted": "thanks",
  "files.append": "memo",
  "files.create": "memo",
  "contacts.remark": "memo",
  "contacts.change": "memo",
  "music.describe-playlist": "music",
  "music.create-playlist": "music",
  "shop.ask": "question",
  "shop.rewrite": "review",
  "shop.review": "review",
  "shop.review-all": "review",
  "shop.give": "gift",
  "photos.caption": "caption",
  "photos.comment": "caption",
  "calendar.set-note": "memo",
  "todo.comment": "todo",
  "todo.add-step": "step",
  "mail.edit-signature": "signature",
};

/** Actions and deeds whose text a person would not take from another app. */
export const WRITTEN_ON_THE_SPOT: ReadonlySet<string> = new Set(
  Object.keys(PLACES).filter(
    (purpose) => PLACES[purpose] !== "memo" && PLACES[purpose] !== "thanks",
  ),
);

/** Draws a sentence for a place. The second half of the sentences is kept for the test splits. */
export function drawSentence(rng: Rng, split: ComposedSplit, purpose = ""): string {
  const halves = SENTENCES[PLACES[purpose] ?? "letter"].split("/");
  const half = halves[split.startsWith("test") ? 1 : 0]!;
  return rng.pick(half.split("|").map((sentence) => sentence.replace(/\s+/g, " ").trim()));
}
