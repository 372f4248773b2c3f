/** Of one message: each answer that has the message has all of them. */
export const MOST_SUBMESSAGES = 5000;
/** Of one person for one message: nobody fills up what others vote with. */
export const MOST_OF_ONE = 500;
/** Of one message together, in bytes. */
export const MOST_BYTES = 1_000_000;
