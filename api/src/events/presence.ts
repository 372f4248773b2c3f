import Type from 'typebox';
import { clientPresence, modernPresences } from '../objects/presence.ts';

const type = Type.Literal('presence');

export const presenceEvent = Type.Union([
  Type.Object({ id: Type.Integer(), type, presences: modernPresences }),
  Type.Object({
    id: Type.Integer(),
    type,
    user_id: Type.Integer(),
    email: Type.String(),
    server_timestamp: Type.Number(),
    presence: Type.Object({ website: clientPresence }),
  }),
]);
