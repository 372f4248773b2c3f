import Type from 'typebox';

/** Comes when nothing else did for a while; its `id` is a position of the log to ask on from. */
export const heartbeatEvent = Type.Object({ id: Type.Integer(), type: Type.Literal('heartbeat') });
