import Type from 'typebox';
import { legacyPresences, modernPresences } from '../objects/presence.ts';

export const presenceState = {
  presences: Type.Optional(Type.Union([modernPresences, legacyPresences])),
  presence_last_update_id: Type.Optional(Type.Integer({ description: '-1: nobody has been there' })),
  server_timestamp: Type.Optional(Type.Number({ description: 'When presences was true; seconds since the epoch' })),
};
