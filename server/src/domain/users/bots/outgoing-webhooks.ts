/** The name of the consumer of the log that finds messages to outgoing webhook bots (`features/outgoing-webhooks`). */
export const OUTGOING_WEBHOOKS = 'outgoing-webhooks';
