/** What logging in needs of joining: some who log in have no account yet. */
export { AddressRefusedError, accept, EndedError, invitationFor } from './accepting.ts';
