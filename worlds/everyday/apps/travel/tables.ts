/**
 * Travel's rows: what anyone can book (services, hotels), and the owner's trips with all that hangs on them.
 *
 * What was booked, shared, or promised to fellow travellers stays as a row with a status. Prices, refunds and the credit
 * follow from bookings and are derived; days, times and seats are content. Stops and packing lists are plans and may vanish.
 */
import { declareTables, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("travel");

// --- what can be booked ---

export const SERVICE_KINDS = ["train", "flight", "bus"] as const;
export type ServiceKind = (typeof SERVICE_KINDS)[number];

/** Runs every week at the same times. */
export const services = app.table("services", {
  /** Unique: `T 204`. */
  number: text.indexed,
  kind: oneOf(SERVICE_KINDS),
  from: text.indexed,
  to: text.indexed,
  departs: text,
  /** On the same day. */
  arrives: text,
  /** From 1 (Monday) to 7. */
  weekdays: int.many,
  /** The ordinary fare; a fifth more on Fridays and Sundays. */
  cents: int,
  /** Rows of four seats, A to D. */
  rows: int,
  /** Seats that somebody else has for the season: `3A`. */
  taken: text.many,
});
export type Service = RowOf<typeof services>;

export const hotels = app.table("hotels", {
  /** Unique. */
  name: text.indexed,
  city: text.indexed,
  stars: int,
  /** What guests think, in tenths of a point up to 10. */
  rating: int,
  /** A room and night. */
  cents: int,
  breakfast: flag,
  rooms: int,
  /** Cancelling costs nothing up to so many days before the first night. */
  free: int,
  /** Facts hide here: how far the station is, pets, parking. */
  description: text.loose,
});
export type Hotel = RowOf<typeof hotels>;

// --- trips ---

export const ROLES = ["viewer", "editor"] as const;
export type Role = (typeof ROLES)[number];

export const trips = app.table("trips", {
  /** Unique. */
  name: text.indexed,
  city: text.indexed,
  from: text,
  /** The last day. */
  until: text,
  /** Null: the owner's own. Otherwise a contact's trip that the owner may see. */
  person: ref("contacts.people").orNull.indexed,
  /** What the owner may do with a contact's trip; null for own ones. */
  role: oneOf(ROLES).orNull,
  cancelled: flag,
});
export type Trip = RowOf<typeof trips>;

/** Who comes along. The owner is no row. */
export const companions = app.table("companions", {
  trip: ref("travel.trips").indexed,
  person: ref("contacts.people").indexed,
  /** Those who no longer come stay as rows. */
  left: flag,
});

export const tripShares = app.table("shares", {
  trip: ref("travel.trips").indexed,
  person: ref("contacts.people").indexed,
  role: oneOf(ROLES),
  ended: flag,
});

/** A line of the itinerary beside the bookings: `boat to the island`. */
export const stops = app.table("stops", {
  trip: ref("travel.trips").indexed,
  title: text.loose,
  day: text.indexed,
  time: text,
});
export type Stop = RowOf<typeof stops>;

export const packing = app.table("packing", {
  trip: ref("travel.trips").indexed,
  item: text.loose,
  packed: flag,
});

export const tripCosts = app.table("costs", {
  trip: ref("travel.trips").indexed,
  what: text.loose,
  cents: int,
  /** Who paid; null: the owner. */
  person: ref("contacts.people").orNull.indexed,
  day: text,
  /** Struck costs stay, since others have seen them. */
  struck: flag,
});

// --- bookings ---

export const BOOKING_KINDS = [...SERVICE_KINDS, "hotel"] as const;
export const MEANS = ["card", "credit"] as const;

export const bookings = app.table("bookings", {
  kind: oneOf(BOOKING_KINDS).indexed,
  /** One of the two is null. */
  service: ref("travel.services").orNull.indexed,
  hotel: ref("travel.hotels").orNull.indexed,
  trip: ref("travel.trips").orNull.indexed,
  /** Of departure, or the first night. */
  day: text,
  /** 0 and 0 for a journey. */
  nights: int,
  rooms: int,
  pass: ref("travel.passes").orNull,
  paid: oneOf(MEANS),
  status: oneOf(["booked", "cancelled"]).indexed,
  /** What was paid so far. */
  cents: int.derived,
  /** What came back as credit. */
  refund: int.derived,
});
export type Booking = RowOf<typeof bookings>;

/** Who travels on a booking; the owner is the row without a person. */
export const travellers = app.table("travellers", {
  booking: ref("travel.bookings").indexed,
  person: ref("contacts.people").orNull.indexed,
  /** Null until one is chosen: any free seat. */
  seat: text.orNull,
  dropped: flag,
});
export type Traveller = RowOf<typeof travellers>;

/** One row: the credit, which is the sum of its entries. */
export const credit = app.table("credit", {
  cents: int.derived,
});
export type Credit = RowOf<typeof credit>;

export const creditEntries = app.table("entries", {
  cents: int.derived,
  /** Null: credit that the owner had before. */
  booking: int.orNull.indexed.derived,
  at: text.derived,
});

// --- papers and habits ---

export const DOCUMENT_KINDS = ["passport", "visa", "insurance", "licence"] as const;

export const documents = app.table("documents", {
  kind: oneOf(DOCUMENT_KINDS).indexed,
  /** Whose it is; null: the owner's. */
  person: ref("contacts.people").orNull.indexed,
  number: text,
  /** The last good day. */
  expires: text,
});
export type TravelDocument = RowOf<typeof documents>;

/** Takes a percentage off the owner's own fare of one kind of service. */
export const passes = app.table("passes", {
  name: text.indexed,
  kind: oneOf(SERVICE_KINDS),
  percent: int,
  expires: text,
});
export type Pass = RowOf<typeof passes>;

export const routes = app.table("routes", {
  from: text.indexed,
  to: text.indexed,
});

export const travelTables = app.tables;
