import Type from 'typebox';
import { subscription } from '../objects/subscription.ts';

const common = { id: Type.Integer(), type: Type.Literal('subscription') };
const peers = { stream_ids: Type.Array(Type.Integer()), user_ids: Type.Array(Type.Integer()) };

export const subscriptionEvent = Type.Union([
  Type.Object({ ...common, op: Type.Literal('add'), subscriptions: Type.Array(subscription) }),
  Type.Object({
    ...common,
    op: Type.Literal('remove'),
    subscriptions: Type.Array(Type.Object({ stream_id: Type.Integer(), name: Type.String() })),
  }),
  Type.Object({
    ...common,
    op: Type.Literal('update'),
    stream_id: Type.Integer(),
    property: Type.String(),
    value: Type.Union([Type.Boolean(), Type.String(), Type.Null()]),
  }),
  Type.Object({ ...common, op: Type.Literal('peer_add'), ...peers }),
  Type.Object({ ...common, op: Type.Literal('peer_remove'), ...peers }),
]);
