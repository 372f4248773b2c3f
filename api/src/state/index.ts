import Type, { type TProperties } from 'typebox';

/** Every field of the initial state that `POST /register` can answer with; a feature's fields stand in a file of its own. */
export const initialState = {
  event_queue_longpoll_timeout_seconds: Type.Optional(Type.Integer()),
} satisfies TProperties;
