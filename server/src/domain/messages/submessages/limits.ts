/** Per message. Every response with the message contains all of them. */
export const MAX_SUBMESSAGES = 5000;
/** Per user and message, so that one user cannot use up the space of the others. */
export const MAX_SUBMESSAGES_PER_USER = 500;
/** Bytes per message. */
export const MAX_SUBMESSAGE_BYTES = 1_000_000;
