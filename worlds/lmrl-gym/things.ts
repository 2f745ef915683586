/**
 * The things of twenty questions: 158 in 17 groups, as many as the paper has. A thing has the traits of its group and
 * its own, and no two things have the same traits. A question is about one trait.
 */

/** What can be asked about. */
export const TRAITS = [
  "animal",
  "plant",
  "edible",
  "drink",
  "worn",
  "vehicle",
  "tool",
  "furniture",
  "toy",
  "musical",
  "electric",
  "metal",
  "wooden",
  "glass",
  "soft",
  "big",
  "tiny",
  "outdoors",
  "flies",
  "water",
  "sweet",
  "sharp",
  "round",
  "hot",
  "red",
  "green",
  "white",
  "loud",
] as const;
export type Trait = (typeof TRAITS)[number];

/** Each line is a group: its traits, and then its things with their own traits. */
const GROUPS = `
animal outdoors: cow big white; horse big; lion big loud; wolf big sharp; fox red; goat sharp white; bear big soft; rabbit soft white; mouse tiny
animal: cat soft; dog soft loud; hamster tiny soft; parrot flies loud green; canary flies loud; goldfish water red; turtle water green; gecko tiny green; snail tiny water; spider tiny sharp
animal flies outdoors: eagle big sharp; crow loud; swan big water white; owl soft; duck water; gull water loud white; bee tiny sharp loud; butterfly tiny; robin red; goose water loud
animal water: whale big; shark big sharp; dolphin big loud; crab red sharp; shrimp tiny red; frog green loud; seal big soft; octopus soft; jellyfish soft white; trout
plant outdoors: oak big wooden; pine big wooden green; rose red sharp; grass green; moss green soft tiny; cactus green sharp; lily white; bush big green; clover green tiny; tulip red
plant edible: apple round sweet red; pear sweet green; banana sweet; cherry tiny round sweet red; grape tiny round sweet green; lemon round; carrot; tomato round red; pea tiny round green; onion round white
edible: bread soft; cheese; egg round white; rice tiny white; soup hot; pizza round hot; steak hot red; salt tiny white sharp; butter soft white
edible sweet: cake big soft; cookie round; candy tiny; chocolate; honey soft; icecream soft white; jam red; pie round hot; pancake soft round hot; sugar white tiny
drink: milk white; tea hot; coffee hot sharp; juice sweet; wine red; beer glass; cocoa hot sweet; cola sweet sharp; lemonade sweet water
worn soft: shirt; coat big; scarf big red; sock tiny; glove sharp; hat round; dress big sweet; pajamas white; slipper hot
worn: ring metal round tiny; watch metal round; glasses glass; crown metal round big; belt; boot big; helmet round big; necklace metal; button tiny round
vehicle outdoors: car metal big; truck metal big loud; bicycle metal; train metal big electric loud; plane metal big flies loud; boat wooden big water; canoe wooden water; balloon big flies round; sled wooden; rocket metal big flies hot
tool metal: hammer wooden; saw wooden sharp; drill electric loud; knife sharp; pliers tiny; wrench; shovel wooden big outdoors; rake sharp outdoors; needle sharp tiny; axe wooden sharp big
furniture: chair wooden; table wooden big; bed big soft; sofa big soft red; lamp electric glass; mirror glass; shelf wooden sharp; desk wooden big sharp; cushion soft
toy: doll soft; ball round; kite flies outdoors; puzzle wooden; marble glass round tiny; teddy soft big; swing big outdoors; drum musical loud round
musical: piano wooden big; guitar wooden; violin wooden sharp; flute metal; trumpet metal loud; harp wooden big sharp; bell metal round loud; whistle tiny loud
electric: phone; computer metal; television big glass; fridge big metal white; oven big metal hot; toaster metal hot; kettle metal hot water; radio loud
`;

export interface Thing {
  readonly name: string;
  readonly traits: ReadonlySet<Trait>;
}

/** All things, in the order of their groups. */
export const THINGS: readonly Thing[] = GROUPS.trim()
  .split("\n")
  .flatMap((line) => {
    const [shared = "", members = ""] = line.split(": ");
    return members.split("; ").map((member): Thing => {
      const [name = "", ...own] = member.split(" ");
      return { name, traits: new Set([...shared.split(" "), ...own] as Trait[]) };
    });
  });

const BY_NAME = new Map(THINGS.map((thing) => [thing.name, thing]));

/** Returns what the answerer says: whether the thing has the trait. Throws when there is no such thing. */
export function hasTrait(name: string, trait: Trait): boolean {
  const thing = BY_NAME.get(name);
  if (thing === undefined) throw new Error(`there is no thing ${name}`);
  return thing.traits.has(trait);
}
