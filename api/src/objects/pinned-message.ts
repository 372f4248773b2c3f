import Type from 'typebox';

/** Maximum number of pinned messages of a channel, and of a topic. */
export const MAX_PINNED_MESSAGES = 50;

/** Maximum number of messages that are pinned in all topics of a channel together. */
export const MAX_PINS_IN_TOPICS = 1000;

/** Where a message is pinned. A message that is pinned in a channel is shown in all topics of the channel. */
export const placeOfPin = Type.Union([Type.Literal('channel'), Type.Literal('topic')]);

export const pinnedMessage = Type.Object({
  message_id: Type.Integer(),
  topic: Type.String({ description: 'The topic of the message, now' }),
  place: placeOfPin,
  pinned_by: Type.Integer({ description: 'The ID of a user' }),
  date_pinned: Type.Integer({ description: 'Seconds since the epoch' }),
});
