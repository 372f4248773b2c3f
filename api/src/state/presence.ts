import Type from 'typebox';
import { legacyPresences, modernPresences } from '../objects/presence.ts';

export const presenceState = {
  presences: Type.Optional(Type.Union([modernPresences, legacyPresences])),
  presence_last_update_id: Type.Optional(Type.Integer({ description: '-1 if no user ever reported' })),
  server_timestamp: Type.Optional(Type.Number({ description: 'The time of `presences` in seconds since the epoch' })),
};
