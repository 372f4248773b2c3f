/** Key presses that close the list of a field, and so do not close the compose box around it. */
export const closingList = new WeakSet<Event>();
