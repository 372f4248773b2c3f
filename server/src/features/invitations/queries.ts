/** What joining needs to know of invitations. */
export {
  endInvitation,
  endInvitationsTo,
  type Invitation,
  invitationById,
  invitationByKey,
  lockInvitation,
  openInvitationsTo,
} from './rows.ts';
export { type Standing, standingOf } from './standing.ts';
