/** The words of mails from companies and strangers. No text names a contact, a place or a city. */

/** Companies that collect a bill from the bank each month, with what the bill is for. */
export const BILLS: { readonly [company: string]: string } = {
  "Northlight Energy": "power and gas",
  Clearwater: "water",
  Fibrelink: "internet",
  "Harbour Insurance": "home insurance",
  "Sprint Gym": "membership",
};

export interface OutsideText {
  readonly sender: string;
  readonly subject: string;
  readonly body: string;
}

/** Newsletters and notices of companies that the bank knows. `DAY` stands for a day after today. */
export const NOTICES: readonly OutsideText[] = [
  {
    sender: "Mossbank Homes",
    subject: "Work on the roof",
    body: "The roof is repaired from DAY on. Please keep the top windows shut.",
  },
  {
    sender: "Mossbank Homes",
    subject: "The bins in the yard",
    body: "Paper and glass now go into the blue bins behind the house.",
  },
  {
    sender: "Northlight Energy",
    subject: "Please read your meter",
    body: "Send us what your meter shows by DAY. A photo is enough.",
  },
  {
    sender: "Clearwater",
    subject: "Your water is off for an hour",
    body: "We change a pipe in your street on DAY. Fill a jug before nine.",
  },
  {
    sender: "Fibrelink",
    subject: "A faster line for you",
    body: "You can surf twice as fast from next month on. The price stays as it is.",
  },
  {
    sender: "Harbour Insurance",
    subject: "New terms from May",
    body: "Our terms change in May. You need to do nothing if you agree.",
  },
  {
    sender: "Sprint Gym",
    subject: "This month at Sprint Gym",
    body: "New: rowing before work. The sauna is closed until DAY.",
  },
  {
    sender: "Animal Shelter",
    subject: "News from the shelter",
    body: "Eleven cats have found a home this month. Thank you for your help.",
  },
  {
    sender: "Morning Paper",
    subject: "The week in five minutes",
    body: "What happened, what did not, and a crossword for Sunday.",
  },
  {
    sender: "City Council",
    subject: "Street cleaning",
    body: "Your street is cleaned on DAY. Please park elsewhere between seven and noon.",
  },
  {
    sender: "City Council",
    subject: "You can vote by letter",
    body: "Order the papers by DAY if you cannot come in person.",
  },
  {
    sender: "Tiny Steps Nursery",
    subject: "Spring sale in the hall",
    body: "Small clothes and big prams, on DAY from ten to two.",
  },
  {
    sender: "Bright Dental",
    subject: "Time for a check-up",
    body: "It is half a year since you were here. Call us for an appointment.",
  },
  {
    sender: "Cedar Storage",
    subject: "Our new opening hours",
    body: "We now open at eight. Your key works as before.",
  },
];

/** Mails from people and firms whom the owner does not know. */
export const STRANGE_MAILS: readonly OutsideText[] = [
  {
    sender: "Ottoline Marsh",
    subject: "Is this your umbrella?",
    body: "I found it on the tram with your address in it. It is black with a wooden handle.",
  },
  {
    sender: "Prudence Ward",
    subject: "The flat above yours",
    body: "We may move in next month. Is it a quiet house?",
  },
  {
    sender: "Casper Lowe",
    subject: "Your old advertisement",
    body: "Do you still sell the shelf? I could fetch it any evening.",
  },
  {
    sender: "Winifred Ash",
    subject: "Meant for somebody else, I think",
    body: "Your parcel was left at my door. Our house numbers look alike.",
  },
  {
    sender: "Barnaby Frost",
    subject: "A question about your talk",
    body: "You spoke at our evening last year. Would you do it again?",
  },
  {
    sender: "Prize Office",
    subject: "You were chosen",
    body: "Answer today and tell us your bank details, and the prize is yours.",
  },
  {
    sender: "Talent Desk",
    subject: "A post that fits you",
    body: "Our client looks for somebody like you. Shall we talk this week?",
  },
  {
    sender: "Opinion Panel",
    subject: "Ten questions about tea",
    body: "It takes four minutes, and you may win a teapot.",
  },
];
