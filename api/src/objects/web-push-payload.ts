/**
 * What a browser's service worker receives by Web Push, after the browser has decrypted it. Of Heddle alone. JSON of at most
 * `MAX_WEB_PUSH_PAYLOAD_BYTES`.
 *
 * A payload is the state of one conversation on one device. The push service keeps only the newest payload of a conversation for a device
 * that is offline (`Topic`), so each one is complete without its predecessors:
 * - `message`: remove the notifications of `removed_ids`, then show this one under `tag`. It replaces what `tag` shows.
 *   `is_update` says that nothing new has arrived: replace silently, without sound and vibration.
 * - `remove`: remove the notifications of `removed_ids`. Nothing is left to show in the conversation.
 *
 * The worker keeps `message_ids` with the notification. A notification goes when all its messages are removed.
 */
import Type, { type Static } from 'typebox';

/** RFC 8291 limits the encrypted body to 4,096 bytes: 86 of header, 16 of authentication, 1 of padding. */
export const MAX_WEB_PUSH_PAYLOAD_BYTES = 3993;

const id = Type.Integer();
const ids = (description: string) => Type.Array(id, { description });

const conversation = Type.Union([
  Type.Object({
    kind: Type.Literal('direct'),
    user_ids: Type.Union([Type.Array(id), Type.Null()], {
      description: 'All participants, ascending. Null: there are too many for a payload',
    }),
  }),
  Type.Object({
    kind: Type.Literal('channel'),
    channel_id: id,
    channel_name: Type.String(),
    topic: Type.String({ description: 'Empty for messages without a topic' }),
  }),
]);

const sender = Type.Object({
  id,
  name: Type.String(),
  avatar: Type.String({ description: 'A path of this server, or the address of a gravatar' }),
});

const common = {
  version: Type.Literal(1),
  path: Type.String({ description: 'The path of the app in this organization: `/`' }),
  user_id: Type.Integer({ description: 'The account that is notified. Another one may be logged in by now' }),
  tag: Type.String({ description: 'Names the conversation, only for this device. For `Notification.tag`' }),
  removed_ids: ids('Messages whose notification must go; ascending. They were read, deleted, edited or moved'),
  unread: Type.Union([Type.Integer(), Type.Null()], {
    description: 'For the badge: unread messages as `desktop_icon_count_display` counts them. Null: leave the badge',
  }),
};

export const webPushPayload = Type.Union([
  Type.Object({
    ...common,
    kind: Type.Literal('message'),
    is_update: Type.Boolean(),
    message_id: Type.Integer({ description: 'The newest message, which the notification shows and opens' }),
    message_ids: ids('All messages for which this notification stands; ascending. The last one is `message_id`'),
    conversation,
    sender,
    mention: Type.Union(
      [Type.Literal('none'), Type.Literal('personal'), Type.Literal('group'), Type.Literal('everyone')],
      { description: 'How the message mentions the user, if that is why it is notified' },
    ),
    sent_at: Type.Integer({ description: 'Seconds since the epoch' }),
    title: Type.String({ description: 'The sender, the participants, or the channel and the topic' }),
    text: Type.Union([Type.String(), Type.Null()], {
      description: 'Plain text, shortened. Null: this device, or the user for direct messages, wants no text',
    }),
  }),
  Type.Object({ ...common, kind: Type.Literal('remove') }),
]);

export type WebPushPayload = Static<typeof webPushPayload>;
