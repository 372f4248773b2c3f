import Type from 'typebox';

const common = {
  content: Type.String({ description: 'Markdown source' }),
  rendered_content: Type.String({ description: 'HTML' }),
  scheduled_delivery_timestamp: Type.Integer({ description: 'Seconds since the epoch' }),
  failed: Type.Boolean({ description: 'True if the server could not send it' }),
};

/** A message that the server sends later (interface document, "Scheduled message"). */
export const scheduledMessage = Type.Union(
  [
    Type.Object({
      scheduled_message_id: Type.Integer(),
      type: Type.Literal('stream'),
      to: Type.Integer({ description: 'The channel ID' }),
      topic: Type.String(),
      ...common,
    }),
    Type.Object({
      scheduled_message_id: Type.Integer(),
      type: Type.Literal('private'),
      to: Type.Array(Type.Integer(), { description: 'The IDs of the other users, or of the sender if there are none' }),
      ...common,
    }),
  ],
  { title: 'ScheduledMessage' },
);

/** A reminder of a message, which the notification bot sends to the user. */
export const reminder = Type.Object(
  {
    reminder_id: Type.Integer(),
    type: Type.Literal('private'),
    to: Type.Array(Type.Integer(), { description: 'The ID of the user who created the reminder' }),
    ...common,
    reminder_target_message_id: Type.Integer(),
  },
  { title: 'Reminder' },
);
