import Type from 'typebox';
import { channel } from '../objects/channel.ts';

const common = { id: Type.Integer(), type: Type.Literal('stream') };

export const streamEvent = Type.Union([
  Type.Object({ ...common, op: Type.Literal('create'), streams: Type.Array(channel) }),
  Type.Object({
    ...common,
    op: Type.Literal('delete'),
    stream_ids: Type.Array(Type.Integer()),
    /** The older form of `stream_ids`. */
    streams: Type.Array(Type.Object({ stream_id: Type.Integer() })),
  }),
  Type.Object({
    ...common,
    op: Type.Literal('update'),
    stream_id: Type.Integer(),
    name: Type.String(),
    property: Type.Literal('first_message_id'),
    /** Null: there are no messages any more. */
    value: Type.Union([Type.Integer(), Type.Null()]),
  }),
  /** Who sees the channel changed, or how much of its history subscribers read: the three come together. */
  Type.Object({
    ...common,
    op: Type.Literal('update'),
    stream_id: Type.Integer(),
    name: Type.String(),
    property: Type.Literal('invite_only'),
    value: Type.Boolean(),
    history_public_to_subscribers: Type.Boolean(),
    is_web_public: Type.Boolean(),
  }),
]);

export const defaultStreamsEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('default_streams'),
  default_streams: Type.Array(Type.Integer()),
});
