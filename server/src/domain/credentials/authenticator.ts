import { hash } from 'node:crypto';
import {
  ApiError,
  deactivatedOrganization,
  deactivatedUser,
  unauthorized,
  unknownOrganization,
} from '@heddle/api/errors.ts';
import type { Organization } from '../../directory/organization.ts';
import { BotType, type UserRecord } from '../../directory/records.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { rememberedBy } from '../../extension/remembered-state.ts';
import type { Credentials } from '../../http/requests/authentication.ts';
import type { Authenticator } from '../../http/requests/route.ts';
import { ApiKeys, hasFormOfKey } from './api-keys.ts';
import { userOfSession } from './sessions.ts';
import { Subdomains } from './subdomains.ts';

/** The reference says more about a text that can be no key: people paste a part of one, or a password. */
function wrongKey(key: string): ApiError {
  return unauthorized(hasFormOfKey(key) ? 'Invalid API key' : 'Malformed API key');
}

/**
 * Identifies the callers of HTTP requests. Every request passes here. So once an organization is in memory, only
 * sessions need a query.
 */
export function createAuthenticator(
  app: Pick<AppContext, 'organizations' | 'secret' | 'address' | 'db'>,
): Authenticator<Organization, UserRecord> {
  const keys = new ApiKeys(app.secret);
  const rootDomain = new URL(app.address.of('')).hostname;
  const subdomains = new Subdomains(rootDomain);
  // While the user record is the same object, the account's address, key and activity are the same.
  const verified = new WeakMap<Credentials, UserRecord>();
  // By the hash of the key, so that the time of a look-up says nothing about keys.
  const byKey = rememberedBy(['users'], ({ users, organization }) => {
    return new Map([...users.values()].map((user) => [keys.hashOf(organization.id, user), user]));
  });

  async function load(subdomain: string): Promise<Organization | undefined> {
    const organization = await app.organizations.bySubdomain(subdomain);
    return organization === undefined ? nowhere(subdomain) : active(organization);
  }

  function nowhere(subdomain: string): undefined {
    if (subdomain === '') return undefined;
    throw unknownOrganization(subdomain);
  }

  function active(organization: Organization): Organization {
    if (organization.directory.organization.isDeactivated) throw deactivatedOrganization();
    return organization;
  }

  return {
    organizationOf(host, beforeAsking) {
      const subdomain = subdomains.of(host);
      if (subdomain === undefined) {
        throw new ApiError('NONEXISTENT_SUBDOMAIN', `This server answers at ${rootDomain}, not at '${host}'`);
      }
      const ready = app.organizations.readyAt(subdomain);
      if (ready !== undefined) return active(ready);
      if (app.organizations.isUnknown(subdomain)) return nowhere(subdomain);
      beforeAsking();
      return load(subdomain);
    },

    authenticate({ id, directory }, credentials) {
      const known = verified.get(credentials);
      if (known !== undefined && directory.user(known.id) === known) return known;
      const user = directory.userByEmail(credentials.email);
      if (user === undefined || !keys.isKeyOf(id, user, credentials.apiKey)) throw wrongKey(credentials.apiKey);
      if (!user.isActive) throw deactivatedUser();
      verified.set(credentials, user);
      return user;
    },

    accountWithKey({ directory }, apiKey, whose) {
      const account = byKey(directory).get(hash('sha256', apiKey));
      if (account === undefined || (whose === 'bot' && !account.isBot)) throw wrongKey(apiKey);
      if (!account.isActive) throw deactivatedUser();
      return account;
    },

    checkMayCall({ botType }, { forIncomingWebhooks }) {
      if (botType !== BotType.incomingWebhook || forIncomingWebhooks) return;
      throw unauthorized('This API is not available to incoming webhook bots.');
    },

    async callerOfSession({ id, directory }, token, origin) {
      const userId = await userOfSession(app, id, token, origin);
      const user = userId === undefined ? undefined : directory.user(userId);
      if (user !== undefined && !user.isActive) throw deactivatedUser();
      return user;
    },

    organizationKey: (organization) => String(organization.id),
    limiterKey: (caller) => String(caller.id),
    ownerKey: ({ botOwnerId }) => (botOwnerId === null ? undefined : String(botOwnerId)),
  };
}
