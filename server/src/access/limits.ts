/**
 * The limits that clients get from `POST /register` and that the server enforces. Lengths are in characters (code
 * points).
 */
export const MAX_MESSAGE_LENGTH = 10_000;
export const MAX_TOPIC_LENGTH = 60;
export const MAX_REMINDER_NOTE_LENGTH = 1000;

/** The name that clients show for the empty topic. They may also send it instead of the empty topic. */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat';
