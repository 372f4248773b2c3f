/** Logins with a token that another system has signed (JWT; public reference: "Fetch an API key (JWT)"). */
import { createPublicKey, createSecretKey } from 'node:crypto';
import { authenticationFailed, badRequest, deactivatedUser } from '@heddle/api/errors.ts';
import type { Config } from '../../config.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';

/**
 * The account that the token names.
 * @throws ApiError `BAD_REQUEST`: the organization accepts no tokens, or not this one; `AUTHENTICATION_FAILED`, `USER_DEACTIVATED`
 */
export async function accountOfToken(config: Config, { directory }: Organization, token: string): Promise<UserRecord> {
  const { jwtKey: key, jwtAlgorithms, jwtSubdomain } = config;
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
  return user;
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
