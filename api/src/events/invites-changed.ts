import Type from 'typebox';

/** What `GET /invites` answers has changed. */
export const invitesChangedEvent = Type.Object({ id: Type.Integer(), type: Type.Literal('invites_changed') });
