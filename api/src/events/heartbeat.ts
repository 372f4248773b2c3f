import Type from 'typebox';

/** Ends a poll without other events. Its `id` is a position in the log, after which the client polls next. */
export const heartbeatEvent = Type.Object({ id: Type.Integer(), type: Type.Literal('heartbeat') });
