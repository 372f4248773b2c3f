/** The figures that clients learn from `POST /register` and the server holds them to. Lengths are in characters (code points). */
export const MAX_MESSAGE_LENGTH = 10_000;
export const MAX_TOPIC_LENGTH = 60;
export const MAX_REMINDER_NOTE_LENGTH = 1000;

/** What clients show for the empty topic, and what they may send in its place. */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat';
