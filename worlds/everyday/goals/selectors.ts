/**
 * The selectors of the starter. All selectors filter by arguments of an API, never by the texts of rows, because a
 * small model never samples code that chooses rows by their texts, and so cannot learn it.
 */
import type { DemonstrationStyle, Reader, Writer } from "bowline/world";
import * as apps from "../apps/index.ts";
import {
  collectPages,
  type DrawContext,
  findPersonCell,
  type Selection,
  type Selector,
} from "./algebra.ts";
import { chooseCity, chooseGroup, choosePerson } from "./names-in-tasks.ts";
import { DAYS, LABELS, LISTS, SUBJECTS, TAGS, TITLES, TOPICS } from "./task-words.ts";

const DEFAULTS = {
  reaction: null,
  starred: false,
  replyTo: null,
  at: "2026-03-11T08:00:00Z",
} as const;

function insertReceivedMail(
  db: Writer,
  person: number,
  subject: string,
  patch: Partial<apps.Mail> = {},
) {
  db.insert(apps.mails, {
    person,
    outgoing: false,
    subject,
    body: subject,
    folder: "inbox",
    label: null,
    starred: false,
    origin: null,
    unread: false,
    at: "2026-03-11T08:00:00Z",
    ...patch,
  });
}

const personId = (db: Reader, name: string) => db.where(apps.people, { name })[0]!.id;

/** Draws how many rows a task adds. A page has five rows, so about half of the sets need a second page. */
const drawSetSize = (draw: DrawContext) => draw.rng.integer(2, 9);

const personByName: Selector = {
  name: "people.named",
  kind: "people",
  app: "contacts",
  direct: true,
  draw: (draw) => {
    const { setup, ...person } = choosePerson(draw);
    const first = person.name.split(" ")[0];
    const cell = (style: DemonstrationStyle) =>
      style === "hasty"
        ? `var s=apis.contacts.find({name:"${first}"}).slice(0,1).map(x=>x.handle);print(s)`
        : `var s=apis.contacts.find({name:"${person.name}"}).map(x=>x.handle);print(s)`;
    return {
      nouns: [person.name, `my contact ${person.name}`, `${person.name} from ${person.city}`],
      setup,
      ids: (db) => db.where(apps.people, { name: person.name }).map((p) => p.id),
      cells: [cell],
    };
  },
};

const peopleInGroup: Selector = {
  name: "people.in-group",
  kind: "people",
  app: "contacts",
  direct: false,
  draw: (draw) => {
    const group = chooseGroup(draw);
    return {
      nouns: [
        `everyone in my ${group.name} group`,
        `all members of the ${group.name} group`,
        `each person in the group ${group.name}`,
      ],
      setup: group.setup,
      ids: (db) => {
        const [row] = db.where(apps.groups, { name: group.name });
        return db.where(apps.members, { group: row!.id }).map((m) => m.person);
      },
      cells: [collectPages("contacts.list", `group:"${group.name}"`, "handle")],
    };
  },
};

const peopleInCity: Selector = {
  name: "people.in-city",
  kind: "people",
  app: "contacts",
  direct: false,
  draw: (draw) => {
    const { name: city, setup } = chooseCity(draw);
    return {
      nouns: [
        `everyone I know in ${city}`,
        `all my contacts in ${city}`,
        `each contact who lives in ${city}`,
      ],
      setup,
      ids: (db) => db.where(apps.people, { city }).map((p) => p.id),
      cells: [collectPages("contacts.list", `city:"${city}"`, "handle")],
    };
  },
};

/** Selects the senders of unread messages. One sender wrote twice, so that duplicates have to be removed. */
const sendersOfUnread: Selector = {
  name: "people.unread",
  kind: "people",
  app: "messages",
  direct: false,
  draw: (draw) => {
    const senders = draw.rng.sample(draw.people, draw.rng.integer(1, 4));
    return {
      nouns: [
        "everyone who sent me an unread message",
        "all senders of my unread messages",
        "each person whose message I have not read",
      ],
      setup: (db) => {
        for (const [i, person] of [...senders, senders[0]!].entries()) {
          db.insert(apps.texts, {
            ...DEFAULTS,
            person: person.id,
            outgoing: false,
            text: TITLES[i]!,
            unread: true,
          });
        }
      },
      ids: (db) => [
        ...new Set(
          db
            .all(apps.texts)
            .filter((t) => t.unread && !t.outgoing)
            .map((t) => t.person),
        ),
      ],
      cells: [collectPages("messages.list", "unread:true", "from", true)],
    };
  },
};

const mailsFrom: Selector = {
  name: "mails.from",
  kind: "mails",
  app: "mail",
  direct: false,
  draw: (draw) => {
    const person = choosePerson(draw);
    const subjects = draw.rng.sample([...SUBJECTS, ...TITLES], drawSetSize(draw));
    return {
      nouns: [
        `the mails from ${person.name}`,
        `every mail that ${person.name} sent me`,
        `all mail from ${person.name} in my inbox`,
      ],
      setup: (db) => {
        person.setup(db);
        for (const subject of subjects) insertReceivedMail(db, personId(db, person.name), subject);
      },
      ids: (db) =>
        db
          .where(apps.mails, {
            person: personId(db, person.name),
            folder: "inbox",
            outgoing: false,
          })
          .map((m) => m.id),
      cells: [findPersonCell(person), collectPages("mail.list", "from:a", "id")],
    };
  },
};

const mailsLabelled: Selector = {
  name: "mails.labelled",
  kind: "mails",
  app: "mail",
  direct: false,
  draw: (draw) => {
    const label = draw.rng.pick(LABELS);
    const subjects = draw.rng.sample([...SUBJECTS, ...TITLES], drawSetSize(draw));
    const senders = subjects.map(() => draw.rng.pick(draw.people).id);
    return {
      nouns: [
        `all mails labelled ${label}`,
        `every mail with the label ${label}`,
        `the ${label} mails in my inbox`,
      ],
      setup: (db) => {
        for (const [i, subject] of subjects.entries())
          insertReceivedMail(db, senders[i]!, subject, { label });
      },
      ids: (db) =>
        db.where(apps.mails, { label, folder: "inbox", outgoing: false }).map((m) => m.id),
      cells: [collectPages("mail.list", `label:"${label}"`, "id")],
    };
  },
};

const mailsAbout: Selector = {
  name: "mails.about",
  kind: "mails",
  app: "mail",
  direct: false,
  draw: (draw) => {
    const topic = draw.rng.pick(TOPICS);
    const subjects = draw.rng.sample([...SUBJECTS, ...TITLES], drawSetSize(draw));
    const senders = subjects.map(() => draw.rng.pick(draw.people).id);
    return {
      nouns: [
        `all mails about the ${topic}`,
        `every mail that mentions the ${topic}`,
        `the mails where I find the word ${topic}`,
      ],
      setup: (db) => {
        for (const [i, subject] of subjects.entries()) {
          insertReceivedMail(db, senders[i]!, `${subject}, ${topic}`);
        }
      },
      ids: (db) =>
        db
          .where(apps.mails, { outgoing: false })
          .filter((m) => m.folder !== "trash" && m.subject.includes(topic))
          .map((m) => m.id),
      cells: [collectPages("mail.search", `query:"${topic}"`, "id")],
    };
  },
};

const mailsStarred: Selector = {
  name: "mails.starred",
  kind: "mails",
  app: "mail",
  direct: false,
  draw: (draw) => {
    const subjects = draw.rng.sample([...SUBJECTS, ...TITLES], drawSetSize(draw));
    const senders = subjects.map(() => draw.rng.pick(draw.people).id);
    return {
      nouns: ["all starred mails", "every mail with a star", "the mails that I starred"],
      setup: (db) => {
        for (const [i, subject] of subjects.entries()) {
          insertReceivedMail(db, senders[i]!, subject, { starred: true });
        }
      },
      ids: (db) =>
        db.where(apps.mails, { starred: true, folder: "inbox", outgoing: false }).map((m) => m.id),
      cells: [collectPages("mail.list", "starred:true", "id")],
    };
  },
};

function makeTodoSelector(
  name: string,
  describe: (draw: DrawContext) => {
    nouns: string[];
    list: string;
    due: string | null;
    by: "list" | "due";
  },
): Selector {
  return {
    name,
    kind: "todos",
    app: "todo",
    direct: false,
    draw: (draw) => {
      const { nouns, list, due, by: filterBy } = describe(draw);
      const titles = draw.rng.sample(TITLES, drawSetSize(draw));
      const listId = (db: Writer) =>
        db.where(apps.todoLists, { name: list })[0]?.id ??
        db.insert(apps.todoLists, { name: list }).id;
      const match = (db: Parameters<Selection["ids"]>[0]) =>
        filterBy === "due"
          ? { due, done: false }
          : { list: db.where(apps.todoLists, { name: list })[0]!.id, done: false };
      return {
        nouns,
        setup: (db) => {
          for (const title of titles)
            db.insert(apps.todos, { title, list: listId(db), due, done: false });
        },
        ids: (db) => db.where(apps.todos, match(db)).map((t) => t.id),
        cells: [
          collectPages(
            "todo.list",
            filterBy === "due" ? `due:"${due}",done:false` : `list:"${list}",done:false`,
            "id",
          ),
        ],
      };
    },
  };
}

const todosInList = makeTodoSelector("todos.in-list", ({ rng }) => {
  const list = rng.pick(LISTS);
  return {
    nouns: [
      `every open task on my ${list} list`,
      `all tasks still open in the list ${list}`,
      `the open ${list} tasks`,
    ],
    list,
    due: null,
    by: "list",
  };
});

const todosDue = makeTodoSelector("todos.due", ({ rng }) => {
  const due = rng.pick(DAYS);
  return {
    nouns: [
      `every open task due on ${due}`,
      `all my open tasks for ${due}`,
      `the tasks still open on ${due}`,
    ],
    list: rng.pick(LISTS),
    due,
    by: "due",
  };
});

const todosAbout: Selector = {
  name: "todos.about",
  kind: "todos",
  app: "todo",
  direct: false,
  draw: (draw) => {
    const topic = draw.rng.pick(TOPICS);
    const titles = draw.rng.sample(TITLES, drawSetSize(draw));
    return {
      nouns: [
        `every task about the ${topic}`,
        `all tasks that mention the ${topic}`,
        `the tasks with the word ${topic}`,
      ],
      setup: (db) => {
        const list = db.all(apps.todoLists)[0]!.id;
        for (const title of titles) {
          db.insert(apps.todos, { title: `${title}, ${topic}`, list, due: null, done: false });
        }
      },
      ids: (db) =>
        db
          .all(apps.todos)
          .filter((t) => t.title.includes(topic))
          .map((t) => t.id),
      cells: [collectPages("todo.search", `query:"${topic}"`, "id")],
    };
  },
};

const notesAbout: Selector = {
  name: "notes.about",
  kind: "notes",
  app: "notes",
  direct: false,
  draw: (draw) => {
    const topic = draw.rng.pick(TOPICS);
    const titles = draw.rng.sample([...TITLES, ...SUBJECTS], drawSetSize(draw));
    return {
      nouns: [
        `all notes about the ${topic}`,
        `every note that mentions the ${topic}`,
        `my notes with the word ${topic}`,
      ],
      setup: (db) => {
        for (const title of titles) {
          const named = `${title}, ${topic}`;
          db.insert(apps.notes, { title: named, text: title, tag: null, pinned: false });
        }
      },
      ids: (db) =>
        db
          .all(apps.notes)
          .filter((n) => n.title.includes(topic))
          .map((n) => n.id),
      cells: [collectPages("notes.search", `query:"${topic}"`, "id")],
    };
  },
};

function makeNoteSelector(
  name: string,
  describe: (draw: DrawContext) => { nouns: string[]; tag: string | null; args: string },
): Selector {
  return {
    name,
    kind: "notes",
    app: "notes",
    direct: false,
    draw: (draw) => {
      const { nouns, tag, args } = describe(draw);
      const titles = draw.rng.sample([...TITLES, ...SUBJECTS], drawSetSize(draw));
      return {
        nouns,
        setup: (db) => {
          for (const title of titles)
            db.insert(apps.notes, { title, text: title, tag, pinned: tag === null });
        },
        ids: (db) =>
          db.where(apps.notes, tag === null ? { pinned: true } : { tag }).map((n) => n.id),
        cells: [collectPages("notes.list", args, "id")],
      };
    },
  };
}

const notesTagged = makeNoteSelector("notes.tagged", ({ rng }) => {
  const tag = rng.pick(TAGS);
  return {
    nouns: [`all notes tagged ${tag}`, `every note with the tag ${tag}`, `my ${tag} notes`],
    tag,
    args: `tag:"${tag}"`,
  };
});

const notesPinned = makeNoteSelector("notes.pinned", () => ({
  nouns: ["all my pinned notes", "every note that is pinned", "the pinned notes"],
  tag: null,
  args: "pinned:true",
}));

function insertRequest(db: Writer, person: number, cents: number, note: string) {
  db.insert(apps.requests, {
    person,
    outgoing: false,
    cents,
    note,
    status: "pending",
    at: "2026-03-11T08:00:00Z",
  });
}

const requestsFrom: Selector = {
  name: "requests.from",
  kind: "requests",
  app: "pay",
  direct: false,
  draw: (draw) => {
    const person = choosePerson(draw);
    const notes = draw.rng.sample(TITLES, draw.rng.integer(1, 7));
    return {
      nouns: [
        `the open payment requests from ${person.name}`,
        `every pending request of ${person.name}`,
        `all money requests that ${person.name} sent me`,
      ],
      setup: (db) => {
        person.setup(db);
        const id = personId(db, person.name);
        for (const [i, note] of notes.entries()) insertRequest(db, id, 700 + 300 * i, note);
      },
      ids: (db) =>
        db
          .where(apps.requests, {
            person: personId(db, person.name),
            status: "pending",
            outgoing: false,
          })
          .map((r) => r.id),
      cells: [
        findPersonCell(person),
        collectPages("pay.requests", 'from:a,status:"pending"', "id"),
      ],
    };
  },
};

const requestsPending: Selector = {
  name: "requests.pending",
  kind: "requests",
  app: "pay",
  direct: false,
  draw: (draw) => {
    const payers = draw.rng.sample(draw.people, draw.rng.integer(1, 5));
    return {
      nouns: [
        "all open payment requests",
        "every pending request to me",
        "all money requests that are still open",
      ],
      setup: (db) => {
        for (const [i, person] of payers.entries())
          insertRequest(db, person.id, 500 + 200 * i, TITLES[i]!);
      },
      ids: (db) => db.where(apps.requests, { status: "pending", outgoing: false }).map((r) => r.id),
      cells: [collectPages("pay.requests", 'status:"pending"', "id")],
    };
  },
};

/** Selects the events of a day. Only test-challenge uses it, because no training task opens the calendar. */
const eventsOnDay: Selector = {
  name: "events.on-day",
  kind: "events",
  app: "calendar",
  direct: false,
  draw: (draw) => {
    const day = draw.rng.pick(DAYS);
    const titles = draw.rng.sample(SUBJECTS, draw.rng.integer(2, 7));
    return {
      nouns: [
        `every event on ${day}`,
        `all my events on ${day}`,
        `whatever is in my calendar on ${day}`,
      ],
      setup: (db) => {
        for (const [i, title] of titles.entries()) {
          const time = `${String(9 + i).padStart(2, "0")}:30`;
          db.insert(apps.events, {
            title,
            day,
            time,
            host: null,
            response: "accepted",
            cancelled: false,
          });
        }
      },
      ids: (db) =>
        db
          .where(apps.events, { day, cancelled: false })
          .filter((e) => e.host === null)
          .map((e) => e.id),
      cells: [collectPages("calendar.list", `day:"${day}"`, "id")],
    };
  },
};

export const selectors: readonly Selector[] = [
  personByName,
  peopleInGroup,
  peopleInCity,
  sendersOfUnread,
  mailsFrom,
  mailsLabelled,
  mailsStarred,
  mailsAbout,
  todosInList,
  todosDue,
  todosAbout,
  notesAbout,
  notesTagged,
  notesPinned,
  requestsFrom,
  requestsPending,
  eventsOnDay,
];
