/**
 * Queries in the words of daily life, each with the APIs that are right for it. `docs.search` passes a query when one
 * of these APIs is among its first three results. The queries were written before the search was.
 */

/** A query, and the APIs that do what it asks for. */
export type DocsQuery = readonly [query: string, ...apis: [string, ...string[]]];

export const DOCS_QUERIES: readonly DocsQuery[] = [
  // contacts
  ["someone's phone number", "contacts.show", "contacts.profile"],
  ["new contact", "contacts.add"],
  ["whose birthday is next", "contacts.birthdays"],
  ["gift ideas", "contacts.gifts", "contacts.addGift"],
  ["block a person", "contacts.block"],
  ["who is in a group", "contacts.groupMembers", "contacts.list"],
  ["look up a person by name", "contacts.find"],
  // messages
  ["text a friend", "messages.send"],
  ["unread messages", "messages.unread", "messages.list"],
  ["start a group chat", "messages.createChat"],
  ["vote in a poll", "messages.vote"],
  ["send a message later", "messages.schedule"],
  ["silence a conversation", "messages.mute"],
  ["leave a group chat", "messages.leaveChat"],
  ["react with a heart", "messages.react"],
  // mail
  ["send an email", "mail.send", "mail.compose"],
  ["answer an email", "mail.reply"],
  ["delete an email", "mail.remove"],
  ["emails with attachments", "mail.list", "mail.attachments"],
  ["cc someone", "mail.compose"],
  ["hide an email until Monday", "mail.snooze"],
  ["unsubscribe from a newsletter", "mail.unsubscribe"],
  ["filter incoming mail", "mail.addRule", "mail.rules"],
  ["mark emails as read", "mail.markRead"],
  // calendar
  ["delete an event", "calendar.cancel"],
  ["new appointment", "calendar.add"],
  ["what is on today", "calendar.list"],
  ["am I free on Friday", "calendar.free", "calendar.busy"],
  ["reschedule a meeting", "calendar.move"],
  ["weekly event", "calendar.repeat"],
  ["who is coming to my event", "calendar.answers", "calendar.guests"],
  ["turn down an invitation", "calendar.decline"],
  ["remind me before a meeting", "calendar.remind"],
  // pay
  ["send money", "pay.send"],
  ["ask for money", "pay.request"],
  ["how much money do I have", "pay.balance", "bank.account", "bank.accounts"],
  ["who paid me", "pay.history"],
  ["split a bill", "pay.splitRequest", "split.add"],
  ["pay a friend every month", "pay.plan"],
  ["add money to my wallet", "pay.topUp"],
  // bank
  ["account balance", "bank.account", "bank.accounts"],
  ["recent transactions", "bank.transactions"],
  ["pay the rent every month", "bank.addOrder", "pay.plan"],
  ["lost my card", "bank.freeze", "bank.cancelCard"],
  ["spending on groceries", "bank.spending", "bank.transactions"],
  ["save up for a holiday", "bank.addGoal"],
  ["transfer between my accounts", "bank.move"],
  ["wrong charge on my card", "bank.dispute"],
  ["raise my card limit", "bank.setCardLimit"],
  // split
  ["who owes me money", "split.balances"],
  ["add a shared expense", "split.add", "split.addExact", "split.addPercent"],
  ["settle up", "split.plan", "split.recordPaid", "split.recordReceived"],
  ["remind someone of their debt", "split.remind"],
  ["new flatmate in the group", "split.addMember"],
  // shop
  ["buy something", "shop.buy", "shop.checkout"],
  ["where is my parcel", "shop.orders", "shop.order"],
  ["send back an item", "shop.returnItem"],
  ["wish list", "shop.lists", "shop.saved", "shop.save"],
  ["put it in the basket", "shop.addToCart"],
  ["discount code", "shop.vouchers", "shop.quote"],
  ["write a product review", "shop.review"],
  ["change the delivery address", "shop.redirectOrder", "shop.preferAddress", "shop.addAddress"],
  ["tell me when it gets cheaper", "shop.watchPrice", "shop.alerts"],
  // travel
  ["passport expiry", "travel.documents"],
  ["train times", "travel.timetable"],
  ["book a train ticket", "travel.bookJourney"],
  ["find a hotel", "travel.hotels", "travel.searchHotels"],
  ["cancel a hotel reservation", "travel.cancelBooking"],
  ["what to pack", "travel.packing"],
  ["window seat", "travel.chooseSeat", "travel.seats"],
  ["flights to Lisbon", "travel.timetable", "travel.services"],
  ["plan a holiday", "travel.planTrip"],
  // music
  ["play a song", "music.play"],
  ["make a playlist", "music.createPlaylist"],
  ["add a track to a playlist", "music.addSong"],
  ["upcoming gigs", "music.concerts"],
  ["turn down the volume", "music.setVolume"],
  ["my most played songs", "music.top"],
  ["recommend a song to a friend", "music.recommend"],
  // photos
  ["pictures of my sister", "photos.list", "photos.together"],
  ["delete a photo", "photos.remove"],
  ["make an album", "photos.createAlbum"],
  ["send a picture", "photos.send"],
  ["black and white picture", "photos.monochrome"],
  ["share photos with family", "photos.shareAlbum", "photos.send", "photos.createLink"],
  // files
  ["open a document", "files.read"],
  ["search inside files", "files.searchText"],
  ["get back a deleted file", "files.restore"],
  ["older version of a file", "files.versions", "files.readVersion", "files.revert"],
  ["give someone access to a file", "files.share"],
  // notes
  ["write a note", "notes.add"],
  ["tick off an item", "notes.tick"],
  ["change the text of a note", "notes.update", "notes.replace"],
  ["notes shared with me", "notes.fromOthers"],
  // todo
  ["add a task", "todo.add"],
  ["finish a task", "todo.complete"],
  ["tasks that are late", "todo.overdue"],
  ["change a deadline", "todo.setDue", "todo.postpone"],
  ["give a chore to somebody", "todo.assign"],
  // me
  ["my own email address", "me.profile"],
];
