/** Per message. Every response with the message contains all of them. */
export const MOST_SUBMESSAGES = 5000;
/** Per user and message, so that one user cannot use up the space of the others. */
export const MOST_OF_ONE = 500;
/** Bytes per message. */
export const MOST_BYTES = 1_000_000;
