/** The texts of background rows: plain sentences about rent, dinner, tickets, trips and the like. */

export const TEXT_LINES = [
  "Are we still on for dinner tonight?",
  "I left the keys with the neighbour.",
  "The concert tickets came in the post.",
  "Running ten minutes late, sorry.",
  "Did you pay the rent this month?",
  "Thanks for the ride yesterday.",
  "Can you send me the recipe again?",
  "The match was moved to Sunday.",
  "I found your umbrella at my place.",
  "Let me know when you get home.",
  "The plumber comes on Monday.",
  "We saved you a seat in the front.",
  "My phone was off all day.",
  "The dog is doing much better.",
  "Shall I bring dessert or bread?",
  "The lift is broken again.",
  "Good luck with the interview!",
  "The museum is closed on Tuesdays.",
] as const;

export const LETTERS = [
  { subject: "Rent for March", body: "The rent is due soon. The account is the same as before." },
  { subject: "Dinner on Friday", body: "We booked a table for six. Tell me if you cannot come." },
  {
    subject: "Concert tickets",
    body: "I got two tickets in row eight. You can pay me back later.",
  },
  { subject: "Train times", body: "The early train leaves from the other platform this week." },
  { subject: "Old photos", body: "I scanned the pictures from the lake. They came out well." },
  {
    subject: "Broken window",
    body: "The glass will be replaced next week. Someone should be home.",
  },
  { subject: "Birthday plans", body: "Keep it a secret, please. We meet at the cafe first." },
  {
    subject: "Minutes of the meeting",
    body: "The notes are short this time. Please check the list.",
  },
  { subject: "Lost jacket", body: "A grey jacket was left in the hall. Is it yours?" },
  { subject: "Recipe for soup", body: "It needs leeks, potatoes and a lot of pepper." },
  { subject: "Holiday house", body: "The house is free in July. We have to decide by April." },
  { subject: "Parking permit", body: "The new permit is valid from the first of April." },
  { subject: "Thank you", body: "The flowers were lovely. They are still on the table." },
  { subject: "Book return", body: "I have finished the novel and will drop it off." },
  { subject: "Power cut", body: "There will be no power on Wednesday morning." },
  { subject: "Moving day", body: "We need four people and a van. There will be pizza." },
] as const;

export const MAIL_LABELS = ["family", "urgent", "later", "bills", "trips", "school"] as const;

export const PAY_NOTES = [
  "rent share",
  "dinner",
  "concert tickets",
  "groceries",
  "taxi home",
  "birthday gift",
  "coffee",
  "train fare",
  "museum entry",
  "lunch",
  "phone bill",
  "flowers",
  "pizza",
  "cinema",
  "parking",
  "theatre",
] as const;

export const NOTES = [
  { title: "Soup for winter", text: "Leeks, potatoes, pepper. Cook slowly.", tag: "recipes" },
  { title: "Pancakes", text: "Two eggs, flour, milk. Rest for an hour.", tag: "recipes" },
  { title: "Winter novels", text: "The lighthouse one, then the long one.", tag: "books" },
  { title: "Poems to reread", text: "The short ones about the sea.", tag: "books" },
  { title: "Tomato beds", text: "Move them to the sunny side.", tag: "garden" },
  { title: "Bulbs", text: "Plant them before the frost.", tag: "garden" },
  { title: "Savings plan", text: "Put a little aside each month.", tag: "money" },
  { title: "Tax papers", text: "Everything is in the blue folder.", tag: "money" },
  { title: "Paint colours", text: "Hall: light grey. Kitchen: white.", tag: "home" },
  { title: "Boiler", text: "Press the red button for five seconds.", tag: "home" },
  { title: "Gift thoughts", text: "A lamp, or a good knife.", tag: "ideas" },
  { title: "Weekend away", text: "Somewhere with a lake and no cars.", tag: "ideas" },
  { title: "Wifi", text: "The router is behind the shelf.", tag: null },
  { title: "Shoe sizes", text: "Children: 31 and 34.", tag: null },
  { title: "Packing", text: "Charger, socks, papers, book.", tag: null },
  { title: "Quiz facts", text: "The longest river question again.", tag: null },
  { title: "Doctor", text: "Ask about the left knee.", tag: null },
  { title: "Good cafes", text: "The one by the bridge opens early.", tag: null },
  { title: "Bike parts", text: "Inner tube, bell, back light.", tag: null },
  { title: "Dreams", text: "The one with the train again.", tag: null },
] as const;

/** The names of the todo lists. Todos that name no list go to the first one. */
export const TODO_LISTS = ["inbox", "errands", "work", "house", "weekend", "reading"] as const;

export const TODOS = {
  inbox: [
    "call the bank",
    "reply to the school",
    "find the charger",
    "cancel the magazine",
    "ask for a refund",
    "print the tickets",
  ],
  errands: ["pick up the parcel", "buy batteries", "get a haircut", "drop off the glass"],
  work: ["finish the slides", "order new badges", "read the contract", "update the plan"],
  house: ["change the bulbs", "paint the fence", "oil the door", "fix the shelf"],
  weekend: ["visit the market", "bake bread", "try the new path", "clean the grill"],
  reading: ["start the long novel", "finish the essay", "renew the card", "return two books"],
} as const satisfies { readonly [L in (typeof TODO_LISTS)[number]]: readonly string[] };

export const EVENT_TITLES = [
  "Dentist",
  "Lunch break walk",
  "House meeting",
  "Piano lesson",
  "Board games",
  "Bike ride",
  "Parents evening",
  "Film night",
  "Swimming",
  "Market visit",
  "Tea with friends",
  "Budget talk",
  "Car check",
  "Garden work",
  "Birthday dinner",
  "Museum tour",
] as const;
