/** What the reader knows of the shop: products, lists, wishes, orders and subscriptions. */
import { compared, fixed, isPerson, NAME, type Row, type Tables, valued } from "./phrases.ts";
import type { Thing, ThingField } from "./things.ts";

const COSTS = { most: "most expensive|costliest|priciest", least: "cheapest|least expensive" };
const WEIGHTS = { most: "heaviest", least: "lightest" };
const cents = (row: Row) => Number(row["cents"]);

const byId = (tables: Tables, table: string, id: unknown) =>
  tables(table).find((row) => row.id === id);
const productOf = (row: Row, tables: Tables) => byId(tables, "shop.products", row["product"]);
const nameOfProduct = (row: Row, tables: Tables) => String(productOf(row, tables)?.["name"]);
const listOf = (row: Row, tables: Tables) => byId(tables, "shop.lists", row["list"]);
const grams = (product: Row | undefined) =>
  Number(/Weighs (\d+) g\b/.exec(String(product?.["description"]))?.[1] ?? 0);
const isMadeOf = (product: Row | undefined, material: string) =>
  String(product?.["description"]).includes(`Made of ${material}.`);
const itemsOn = (row: Row, tables: Tables) =>
  tables("shop.saved").filter((item) => item["list"] === row.id);

/** Phrases about a product, for products themselves and for rows that stand for one. */
const aboutProduct = (product: (row: Row, tables: Tables) => Row | undefined) => [
  compared(
    "that costs?|with a price of|priced at|that (?:can be had|I can get) for|for which the shop wants",
    "money",
    (row, tables) => cents(product(row, tables)!),
    "apiece",
  ),
  compared(
    "that weighs?|with a weight of|whose weight is|which by (?:their|its) description weighs?",
    "number",
    (row, tables) => grams(product(row, tables)),
    "g(?: or (?:less|below)| at most)?(?: according to the description)?",
  ),
  valued(
    '(?:that (?:is|are) |which are )?made of ([a-z]+(?: [a-z]+)?)(?= that| which| who| with| and|$|,)(?: by (?:their|its) description)?|whose description says "made of ([^"]*)"|that according to the description are made of ([a-z]+)',
    (row, material, tables) => isMadeOf(product(row, tables), material),
  ),
  valued(
    "made of ([a-z ]+?) by their description|which are made of ([a-z ]+?) by their description",
    (row, material, tables) => isMadeOf(product(row, tables), material),
  ),
];

const productFields = (
  product: (row: Row, tables: Tables) => Row | undefined,
): readonly ThingField[] => [
  { words: "name", read: (row, tables) => String(product(row, tables)?.["name"]) },
  {
    words: "price",
    read: (row, tables) => cents(product(row, tables)!),
    isMoney: true,
    ranks: COSTS,
  },
  {
    words: "weight in grams",
    read: (row, tables) => grams(product(row, tables)),
    ranks: WEIGHTS,
  },
];

const claimed = [
  fixed(
    "that nobody has promised to give yet|which are still unclaimed|that no one has claimed|which have not been claimed by anybody|that are still open, claimed by nobody",
    (row) => row["claim"] === "open",
  ),
  fixed(
    "that I have promised to give|which are claimed by me|that I have claimed|which I have claimed for myself|that stand as claimed by me",
    (row) => row["claim"] === "mine",
  ),
  fixed(
    "that somebody else has promised to give|which are claimed by someone else|that another person has claimed|which somebody other than me has claimed|that stand as claimed by others",
    (row) => row["claim"] === "taken",
  ),
];

const linesOf = (row: Row, tables: Tables) =>
  tables("shop.orderLines").filter((line) => line["order"] === row.id);

export const shopThings: readonly Thing[] = [
  {
    name: "shop lists",
    table: "shop.lists",
    noun: "(?:own|saved|shop)? ?lists? (?:of (?:my own|mine) in the shop|that I keep in the shop|of my own|in the shop that (?:are|is) mine)|(?:my )?own lists? in the shop|lists? that (?:is|are) mine in the shop",
    includes: (row) => row["person"] === null,
    phrases: [
      compared(
        "with|that holds?|on which there are|that have",
        "number",
        (row, tables) => itemsOn(row, tables).length,
        "(?:or more )?products(?: or more)?(?: on (?:them|it))?",
      ),
      valued(
        '(?:with a product of|that have a product from|on which some product is in|that include something from|where at least one product belongs to) the category "([^"]*)"(?: on (?:them|it))?',
        (row, category, tables) =>
          itemsOn(row, tables).some((item) => productOf(item, tables)?.["category"] === category),
      ),
    ],
    fields: [
      { words: "name", read: (row) => String(row["name"]) },
      {
        words: "number of products",
        read: (row, tables) => itemsOn(row, tables).length,
        ranks: { most: "longest|fullest", least: "shortest|emptiest" },
      },
    ],
  },
  {
    name: "saved products",
    table: "shop.saved",
    noun: "products? on my own (?:shop lists|saved lists in the shop)|products? on my saved lists|products? saved on (?:lists|a list) of mine|products that my own shop lists hold|saved products? of mine|things? on my own shop lists",
    includes: (row, tables) => listOf(row, tables)?.["person"] === null,
    phrases: [
      valued(
        '(?:that are on|which are on|that I saved to|which belong to|that stand on) (?:the list )?"([^"]*)"',
        (row, name, tables) => listOf(row, tables)?.["name"] === name,
      ),
      ...aboutProduct(productOf),
    ],
    fields: productFields(productOf),
  },
  {
    name: "wishes",
    table: "shop.saved",
    noun: "wish(?:es)? on my contacts' shop lists|items? on contacts' wish lists(?: in the shop)?|wish(?:es)? of (?:a contact|contacts) in the shop|wish(?:es)? that (?:my )?contacts (?:noted|share) in the shop|products? on (?:contacts' shop lists|the wish lists of contacts in the shop)",
    includes: (row, tables) => listOf(row, tables)?.["person"] !== null,
    phrases: [
      ...claimed,
      valued(
        `(?:of|which belong to|from the lists of|that stand on a list of) ${NAME}|that ${NAME} has`,
        (row, name, tables) => isPerson(tables, listOf(row, tables)?.["person"], name),
      ),
      ...aboutProduct(productOf),
    ],
    fields: productFields(productOf),
  },
  {
    name: "products",
    table: "shop.products",
    noun: "products? (?:(?:in|of|from) the shop|that the shop sells)|articles? in the shop|shop products?",
    includes: () => true,
    phrases: [
      valued(
        '(?:(?:in|of|from|listed under) the category|that belong to the category) "([^"]*)"',
        (row, category) => row["category"] === category,
      ),
      fixed(
        "that are sold out|which are out of stock|that are not in stock|which cannot be had at the moment because none is in stock|that have nothing left in stock",
        (row, tables) =>
          tables("shop.options")
            .filter((option) => option["product"] === row.id)
            .every((option) => option["stock"] === 0),
      ),
      valued(
        "(?:made by|of the brand|sold under the brand|by) ([A-Z]\\w*)|whose brand is ([A-Z]\\w*)",
        (row, brand) => row["brand"] === brand,
      ),
      ...aboutProduct((row) => row),
    ],
    fields: [
      ...productFields((row) => row),
      { words: "brand", read: (row) => String(row["brand"]) },
      {
        words: "rating",
        read: (row) => Number(row["rating"] ?? 0) / 10,
        ranks: { most: "best-rated|highest-rated|top-rated", least: "worst-rated|lowest-rated" },
      },
    ],
  },
  {
    name: "shop orders",
    table: "shop.orders",
    noun: "shop orders?|orders? (?:of mine )?(?:in|with|at) the shop",
    includes: () => true,
    phrases: [
      valued(
        '(?:with the status|in the state|whose status is|that have the status) "([^"]*)"|which the shop lists as "([^"]*)"',
        (row, status) => row["status"] === status,
      ),
      valued(
        'with "([^"]*)" in the name of one of the products|that include a product with "([^"]*)" in its name|in which a product has "([^"]*)" in its name|that contain some product named with "([^"]*)"|where the name of at least one product has "([^"]*)" in it',
        (row, part, tables) =>
          linesOf(row, tables).some((line) =>
            nameOfProduct(line, tables).toLowerCase().includes(part),
          ),
      ),
      compared(
        "placed|that I placed|which were placed|that date",
        "day",
        (row) => String(row["placed"]),
        "or at a later day|or on an earlier day",
      ),
      compared(
        "with a total of|that came to|whose total is|for which the total is",
        "money",
        cents,
      ),
    ],
    fields: [
      { words: "amount", read: cents, isMoney: true, ranks: COSTS },
      { words: "day of arrival", read: (row) => String(row["arrives"]) },
    ],
  },
  {
    name: "subscriptions",
    table: "shop.subscriptions",
    noun: "(?:shop|product) subscriptions?(?: of mine)?(?: in the shop)?|subscriptions? (?:of mine in the shop|in the shop|that I took out in the shop)",
    includes: () => true,
    phrases: [
      valued(
        "with (\\d+) or more weeks between deliveries|that come every (\\d+) weeks or less often|with at least (\\d+) weeks between two deliveries|whose deliveries are (\\d+) weeks or more apart|with no fewer than (\\d+) weeks from one delivery to the next",
        (row, weeks) => Number(row["weeks"]) >= Number(weeks),
      ),
      valued(
        "with (\\d+) or fewer weeks between deliveries|that come every (\\d+) weeks or more often|with at most (\\d+) weeks between two deliveries|whose deliveries are (\\d+) weeks or less apart|with no more than (\\d+) weeks from one delivery to the next",
        (row, weeks) => Number(row["weeks"]) <= Number(weeks),
      ),
      valued(
        '(?:with the status|whose status is) "([^"]*)"|that are (active|paused|ended)|which are (active|paused|ended) at the moment|that the shop lists as (active|paused|ended)',
        (row, status) => row["status"] === status,
      ),
      compared(
        "that cost|with a price of|for which a delivery costs|whose deliveries cost|with deliveries(?: at)?",
        "money",
        (row, tables) => Number(row["count"]) * cents(productOf(row, tables)!),
        "(?:or more )?(?:per delivery|for each delivery|each)",
      ),
    ],
    fields: [
      { words: "product name", read: nameOfProduct },
      {
        words: "price per delivery",
        read: (row, tables) => Number(row["count"]) * cents(productOf(row, tables)!),
        isMoney: true,
        ranks: COSTS,
      },
      { words: "number of pieces per delivery", read: (row) => Number(row["count"]) },
    ],
  },
];
