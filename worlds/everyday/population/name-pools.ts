/**
 * The names, cities and groups of each part of the population. A part is a split, or `circle`: the owner's few close
 * contacts, who belong to no split.
 *
 * No first name, last name, city or group occurs in two parts of the population, so that a person of a test split never
 * occurs in training. No name is the beginning of another, so that a full first name finds its namesakes and nobody
 * else. The name of a group is an activity and a word for a group. The test splits combine such words of training in
 * new ways.
 */
import type { ComposedSplit } from "bowline/goals";

export type Part = ComposedSplit | "circle";
export const PARTS: readonly Part[] = ["train", "dev", "test-normal", "test-challenge", "circle"];

export interface Pool {
  /** The first names. There are as many as last names, and each first name belongs to two people. */
  readonly first: readonly string[];
  readonly last: readonly string[];
  readonly cities: readonly string[];
  readonly groups: readonly string[];
}

const splitWords = (text: string): string[] => text.trim().split(/\s+/);
const splitPhrases = (text: string): string[] => text.split(",").map((phrase) => phrase.trim());

export const POOLS: { readonly [P in Part]: Pool } = {
  train: {
    first: splitWords(`
      Amara Bruno Chloe Dmitri Elena Farid Greta Hiro Ingrid Jonas Kavya Liam Mei Nadia Oscar Paulo Quentin Rosa
      Samuel Tara Umar Vera Wendy Ximena Yusuf Zofia Abel Bianca Cedric Dalia Emil Fiona Gustav Hana Ibrahim Julia
      Kofi Lucia Mateo Noor`),
    last: splitWords(`
      Okafor Larsen Petrov Haddad Nakata Silva Moreau Novak Iyer Chen Fischer Mensah Rossi Duarte Kaya Lindgren
      Banerjee Torres Abadi Kowalski Santos Murphy Ozturk Weber Tanaka Bello Ferrari Jansen Rahman Costa Horvat
      Dubois Ekberg Gomez Hughes Ivanov Keller Mbeki Pereira Quinn`),
    cities: splitWords(
      "Lisbon Oslo Kyoto Quito Dublin Nairobi Austin Turin Zagreb Accra Bergen Denver",
    ),
    groups: splitPhrases(`
      chess club, book group, hiking team, film circle, tennis club, running group, cooking team, choir circle,
      dance club, garden group, sailing team, quiz circle`),
  },
  dev: {
    first: splitWords("Alma Boris Celine Diego Esther Felix Gloria Hugo Irene Jamal Katya Leon"),
    last: splitWords(
      "Varga Sato Mitchell Andrade Bauer Cissoko Dogan Dahl Falk Greco Hassan Jensen",
    ),
    cities: splitWords("Malmo Perth Lima Ghent"),
    groups: splitPhrases("chess group, film club, cooking circle, sailing group"),
  },
  "test-normal": {
    first: splitWords(
      "Arjun Beatriz Cosmo Daphne Elif Franco Giulia Henrik Isla Javier Kenji Leila Marek Nina",
    ),
    last: splitWords(`
      Lindqvist Suzuki Mori Almeida Bianchi Castro Dimitrov Endo Fonseca Gruber Holm Jimenez Kruger Lopes`),
    cities: splitWords("Osaka Tunis Leeds Bilbao Krakow"),
    groups: splitPhrases("book team, hiking club, tennis circle, choir group, garden team"),
  },
  "test-challenge": {
    first: splitWords(
      "Aisha Benoit Carmen Davide Erik Freya Gaspar Helga Idris Johanna Karim Lorenzo Mina Otto",
    ),
    last: splitWords(`
      Virtanen Sokolov Mendes Aoki Brandt Cruz Diallo Engel Fuchs Guerra Hoang Jung Kimura Lund`),
    cities: splitWords("Cork Sofia Hanoi Porto Basel"),
    groups: splitPhrases("running club, dance team, quiz club, film group, book circle"),
  },
  circle: {
    first: splitWords("Ada Theo Priya Simon Zara Viktor"),
    last: splitWords("Winter Park Rivers Stone Field Young"),
    cities: splitWords("Delft"),
    groups: splitPhrases("family, neighbours"),
  },
};

const partByLastName = new Map<string, Part>(
  PARTS.flatMap((part) => POOLS[part].last.map((name) => [name, part] as const)),
);

/**
 * Returns the part of the population to which the last name of this full name belongs, or undefined when it belongs to
 * none.
 */
export function partOfName(name: string): Part | undefined {
  return partByLastName.get(name.slice(name.lastIndexOf(" ") + 1));
}
