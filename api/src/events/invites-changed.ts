import Type from 'typebox';

/** The response of `GET /invites` changed. */
export const invitesChangedEvent = Type.Object({ id: Type.Integer(), type: Type.Literal('invites_changed') });
