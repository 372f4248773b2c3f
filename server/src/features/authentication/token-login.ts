/** Logins with a token that another system has signed (JWT; public reference: "Fetch an API key (JWT)"). */
import { createPublicKey, createSecretKey } from 'node:crypto';
import { authenticationFailed, badRequest, deactivatedUser } from '@heddle/api/errors.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { claimAccount } from '../../domain/credentials/claiming.ts';
import type { AppContext } from '../../extension/app-context.ts';

/**
 * The account that the token names. If its address is unconfirmed, the person who claimed it loses the account.
 * @throws ApiError `BAD_REQUEST`: the organization accepts no tokens, or not this one; `AUTHENTICATION_FAILED`, `USER_DEACTIVATED`
 */
export async function accountOfToken(
  app: Pick<AppContext, 'config' | 'db' | 'queues'>,
  organization: Organization,
  token: string,
): Promise<UserRecord> {
  const { directory } = organization;
  const { jwtKey: key, jwtAlgorithms, jwtSubdomain } = app.config;
  if (key === null || directory.organization.subdomain !== (jwtSubdomain ?? '')) {
    throw badRequest('JWT authentication is not enabled for this organization');
  }
  if (token === '') throw badRequest('No JSON web token passed in request');
  const email = await emailIn(token, key, jwtAlgorithms);
  if (typeof email !== 'string') throw badRequest('No email specified in JSON web token claims');
  const user = directory.userByEmail(email);
  if (user === undefined || user.isBot || user.deliveryEmail.toLowerCase() !== email.toLowerCase()) {
    throw authenticationFailed();
  }
  if (!user.isActive) throw deactivatedUser();
  return claimAccount(app, organization, user, 'may be known');
}

async function emailIn(token: string, key: string, algorithms: readonly string[]): Promise<unknown> {
  const { jwtVerify } = await import('jose');
  const verifier = key.includes('-----BEGIN') ? createPublicKey(key) : createSecretKey(key, 'utf8');
  try {
    const { payload } = await jwtVerify(token, verifier, { algorithms: [...algorithms] });
    return payload.email;
  } catch {
    throw badRequest('Bad JSON web token');
  }
}
