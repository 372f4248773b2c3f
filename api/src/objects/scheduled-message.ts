import Type from 'typebox';

const common = {
  content: Type.String({ description: 'Markup, as it was written' }),
  rendered_content: Type.String({ description: 'HTML' }),
  scheduled_delivery_timestamp: Type.Integer({ description: 'Seconds since the epoch' }),
  failed: Type.Boolean({ description: 'The server tried to send it and it could not be sent' }),
};

/** A message that the server is to send later (interface document, "Scheduled message"). */
export const scheduledMessage = Type.Union(
  [
    Type.Object({
      scheduled_message_id: Type.Integer(),
      type: Type.Literal('stream'),
      to: Type.Integer({ description: "The channel's id" }),
      topic: Type.String(),
      ...common,
    }),
    Type.Object({
      scheduled_message_id: Type.Integer(),
      type: Type.Literal('private'),
      to: Type.Array(Type.Integer(), { description: 'The other users; the sender where there are none' }),
      ...common,
    }),
  ],
  { title: 'ScheduledMessage' },
);

/** What the notification bot is to remind a user of. */
export const reminder = Type.Object(
  {
    reminder_id: Type.Integer(),
    type: Type.Literal('private'),
    to: Type.Array(Type.Integer(), { description: 'The user who asked for it' }),
    ...common,
    reminder_target_message_id: Type.Integer(),
  },
  { title: 'Reminder' },
);
