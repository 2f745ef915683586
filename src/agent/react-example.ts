/**
 * The worked example of the react prompt. It is a real run in the everyday world with seed 0. Its owner occurs in no
 * default run, and its task is in no split. `tests/properties/react-example.test.ts` runs its code again and compares
 * every line.
 */
import type { WorkedExample } from "./react-prompt.ts";

export const REACT_EXAMPLE: WorkedExample = {
  instruction:
    "Which of the songs in my music library that I gave five stars have I played least often? Answer with its title.",
  turns: [
    {
      message: `First I look at which apps there are.

\`\`\`js
print(apis.docs.listApps({}).items.map(({ name, summary }) => \`\${name}: \${summary}\`).join("\\n"));
\`\`\``,
      observation: `docs: The documentation of all apps.
me: The person you work for, their accounts, and the end of your task.
contacts: People the owner knows: groups, facts about them, birthdays, couples, remarks, gifts.
messages: Short messages to and from contacts, group chats with roles and polls, drafts.
mail: Mail to contacts, and from anyone: folders, labels, drafts, copies, rules, lists, newsletters.
calendar: Events with guests, invitations, reminders, categories, series, and shared calendars.
pay: Payments to and from contacts, and requests for them.
bank: Accounts, transactions, transfers, standing orders, cards, savings goals and budgets.
split: Expenses shared in groups, balances between members, and settling up.
shop: A shop: products, cart, orders, gifts, lists, reviews, subscriptions.
travel: Trips, journeys and hotels: timetables, bookings, plans and papers.
music: Songs, artists and concerts; the owner's library, playlists and player.
photos: The owner's photos, videos and scans; albums, own and of contacts.
files: The owner's files in folders, and files of others that are shared with the owner.
notes: The owner's notes.
todo: Things to do, on lists.`,
    },
    {
      message: `\`music\` has the library. I look for its APIs about the library, and at how the list is called.

\`\`\`js
const found = apis.docs.listApis({ app: "music" });
print(found.items.filter(({ summary }) => summary.includes("library")).map(({ name, summary }) => \`\${name}: \${summary}\`).join("\\n"));
print(apis.docs.showApi({ app: "music", api: "library" }));
\`\`\``,
      observation: `library: List the songs in the owner's library by title.
save: Put a song into the library.
unsave: Take a song out of the library; playlists, likes and stars stay as they are.
{"call":"apis.music.library({ genre?, artist?, year?, liked?, stars?, playlist?, person?, page?, size? })","summary":"List the songs in the owner's library by title.","params":[{"name":"genre","type":"\\"ambient\\" | \\"blues\\" | \\"country\\" | \\"electronic\\" | \\"folk\\" | \\"jazz\\" | \\"pop\\" | \\"rock\\" | \\"soul\\"","required":false,"description":"only of this genre"},{"name":"artist","type":"integer >= 1","required":false,"description":"only by the artist with this id"},{"name":"year","type":"integer","required":false,"description":"only from this year"},{"name":"liked","type":"boolean","required":false,"description":"only liked ones, or only others"},{"name":"stars","type":"integer >= 1 <= 5","required":false,"description":"only rated so"},{"name":"playlist","type":"integer >= 1","required":false,"description":"only those in the playlist with this id"},{"name":"person","type":"string >= 1 characters <= 80 characters","required":false,"description":"only those that this person recommended to the owner, a handle such as \\"amara.o\\""},{"name":"page","type":"integer >= 1","required":false,"default":1,"description":"which page, from 1"},{"name":"size","type":"integer >= 1 <= 20","required":false,"default":5,"description":"items a page"}],"returns":"{ items: { title: string, id: integer, artist: string, genre: \\"ambient\\" | \\"blues\\" | \\"country\\" | \\"electronic\\" | \\"folk\\" | \\"jazz\\" | \\"pop\\" | \\"rock\\" | \\"soul\\", year: integer, seconds: integer, stars: integer | null, liked: boolean, saved: boolean, plays: integer }[], more: boolean }","example":"apis.music.library({\\"liked\\":true,\\"size\\":10})"}`,
    },
    {
      message: `The list can be narrowed to five stars and says how often a song was played. I look at its first page.

\`\`\`js
print(apis.music.library({ stars: 5 }));
\`\`\``,
      observation: `ApiError: 401 music needs a session: call music.login with the password from me.listAccounts`,
    },
    {
      message: `It wants a session. I look up how one is opened, and which password \`me\` has for it.

\`\`\`js
print(apis.docs.showApi({ app: "music", api: "login" }));
const account = apis.me.listAccounts({}).items.find(({ app }) => app === "music");
print(account);
\`\`\``,
      observation: `{"call":"apis.music.login({ password })","summary":"Open a session of music, which its other APIs need; it lasts 20 minutes.","params":[{"name":"password","type":"string","required":true,"description":"the password of music in me.listAccounts"}],"returns":"{ token: string, expiresAt: string }","example":"apis.music.login({ password: apis.me.listAccounts().items.find((account) => account.app === \\"music\\").password })"}
{"app":"music","username":"nicky.mercer25@example.com","password":"birch-1147"}`,
    },
    {
      message: `I log in and read the list to its last page.

\`\`\`js
apis.music.login({ password: account.password });
const songs = [];
for (let page = 1, more = true; more; page++) {
  const list = apis.music.library({ stars: 5, page });
  songs.push(...list.items);
  more = list.more;
}
print(songs.map(({ title, plays }) => \`\${title}: \${plays}\`).join("\\n"));
\`\`\``,
      observation: `Another Burning Tide: 220
Another Tender Candle: 199
Another Tender Letter: 115
My Tender Ladder: 121
Narrow Thunder: 73
Pocket Made of Tender Light: 293
The Careless Mirror: 56
The Crooked Candle: 170
The Midnight Harvest: 119`,
    },
    {
      message: `\`The Careless Mirror\` has the fewest plays, 56, and no other song has as few. That is the answer.

\`\`\`js
apis.me.finishTask({ answer: "The Careless Mirror" });
\`\`\``,
      observation: `(no output)`,
    },
  ],
};
