/**
 * Defines the tables of travel: services and hotels, which anyone can book, and the owner's trips with their bookings,
 * companions, stops, costs and packing lists.
 *
 * Rows that other people have seen (bookings, shares, companions) are never removed, but their status changes. Prices,
 * refunds and the credit follow from bookings, so checks ignore them. Checks compare days, times and seats. Stops and
 * packing lists may be removed.
 */
import { declareTables, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("travel");

export const SERVICE_KINDS = ["train", "flight", "bus"] as const;
export type ServiceKind = (typeof SERVICE_KINDS)[number];

/** The services, which run every week at the same times. */
export const services = app.table("services", {
  /** The unique number of the service, such as `T 204`. */
  number: text.indexed,
  kind: oneOf(SERVICE_KINDS),
  from: text.indexed,
  to: text.indexed,
  departs: text,
  /** The time of arrival, on the same day. */
  arrives: text,
  /** The weekdays on which it runs, from 1 (Monday) to 7. */
  weekdays: int.many,
  /** The ordinary fare in cents. It is a fifth higher on Fridays and Sundays. */
  cents: int,
  /** The number of rows. Each row has four seats, A to D. */
  rows: int,
  /** The seats that other people have for the whole season, such as `3A`. */
  taken: text.many,
});
export type Service = RowOf<typeof services>;

export const hotels = app.table("hotels", {
  /** The name, which is unique among hotels. */
  name: text.indexed,
  city: text.indexed,
  stars: int,
  /** The rating by guests, in tenths of a point up to 10 points. */
  rating: int,
  /** The price of one room for one night, in cents. */
  cents: int,
  breakfast: flag,
  rooms: int,
  /** Cancelling costs nothing up to so many days before the first night. */
  free: int,
  /** The description, which contains facts such as the distance to the station, pets and parking. */
  description: text.loose,
});
export type Hotel = RowOf<typeof hotels>;

export const ROLES = ["viewer", "editor"] as const;
export type Role = (typeof ROLES)[number];

export const trips = app.table("trips", {
  /** The name, which is unique among trips. */
  name: text.indexed,
  city: text.indexed,
  from: text,
  /** The last day of the trip. */
  until: text,
  /** The contact whose trip it is, or null when it is the owner's own. */
  person: ref("contacts.people").orNull.indexed,
  /** What the owner may do with a contact's trip, or null for own trips. */
  role: oneOf(ROLES).orNull,
  cancelled: flag,
});
export type Trip = RowOf<typeof trips>;

/** The people who come along on a trip. The owner has no row. */
export const companions = app.table("companions", {
  trip: ref("travel.trips").indexed,
  person: ref("contacts.people").indexed,
  /** People who no longer come along keep their row. */
  left: flag,
});

export const tripShares = app.table("shares", {
  trip: ref("travel.trips").indexed,
  person: ref("contacts.people").indexed,
  role: oneOf(ROLES),
  ended: flag,
});

/** The stops: lines of the itinerary beside the bookings, such as `boat to the island`. */
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
  /** The person who paid, or null when the owner did. */
  person: ref("contacts.people").orNull.indexed,
  day: text,
  /** Struck costs are kept, because others have seen them. */
  struck: flag,
});

export const BOOKING_KINDS = [...SERVICE_KINDS, "hotel"] as const;
export const MEANS = ["card", "credit"] as const;

export const bookings = app.table("bookings", {
  kind: oneOf(BOOKING_KINDS).indexed,
  /** The service or the hotel that is booked; the other one is null. */
  service: ref("travel.services").orNull.indexed,
  hotel: ref("travel.hotels").orNull.indexed,
  trip: ref("travel.trips").orNull.indexed,
  /** The day of departure, or of the first night. */
  day: text,
  /** The number of nights. Nights and rooms are 0 for a journey. */
  nights: int,
  rooms: int,
  pass: ref("travel.passes").orNull,
  paid: oneOf(MEANS),
  status: oneOf(["booked", "cancelled"]).indexed,
  /** The cents that were paid so far. */
  cents: int.derived,
  /** The cents that came back as credit. */
  refund: int.derived,
});
export type Booking = RowOf<typeof bookings>;

/** The travellers of a booking. The owner is the row without a person. */
export const travellers = app.table("travellers", {
  booking: ref("travel.bookings").indexed,
  person: ref("contacts.people").orNull.indexed,
  /** The chosen seat, or null until one is chosen. Any free seat will do until then. */
  seat: text.orNull,
  dropped: flag,
});
export type Traveller = RowOf<typeof travellers>;

/** The table has one row: the credit, which is the sum of its entries. */
export const credit = app.table("credit", {
  cents: int.derived,
});
export type Credit = RowOf<typeof credit>;

export const creditEntries = app.table("entries", {
  cents: int.derived,
  /** The booking that changed the credit, or null for credit that the owner had before. */
  booking: int.orNull.indexed.derived,
  at: text.derived,
});

export const DOCUMENT_KINDS = ["passport", "visa", "insurance", "licence"] as const;

export const documents = app.table("documents", {
  kind: oneOf(DOCUMENT_KINDS).indexed,
  /** The person whose document it is, or null when it is the owner's. */
  person: ref("contacts.people").orNull.indexed,
  number: text,
  /** The last day on which the document is valid. */
  expires: text,
});
export type TravelDocument = RowOf<typeof documents>;

/** The passes. A pass takes a percentage off the owner's own fare of one kind of service. */
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
