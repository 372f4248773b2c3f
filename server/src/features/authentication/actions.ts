/** What other features and the command line need of authentication. */
export { ApiKeys, apiKeyFor, serviceTokenFor } from './api-keys.ts';
export { claimAccount } from './claiming.ts';
export { createGatekeeper } from './gatekeeper.ts';
export { externalMethods, loginMethods } from './login-methods.ts';
export { renewKey } from './own-key.ts';
export { checkedPassword, checkedPasswordHash, isPassword, PASSWORD_LENGTH } from './passwords.ts';
export { beginSession, endSession, endSessionsOf, userOfSession, whoIsLoggedIn } from './sessions.ts';
