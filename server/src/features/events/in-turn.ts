import { accountOf } from '../../access/bots.ts';
import { OneOfEachWithin } from '../../directory/one-at-a-time.ts';
import type { Organization } from '../../directory/organization.ts';
import { type Registered, type Registration, register } from './register.ts';
import { MIN_LARGE_ORGANIZATION_USERS, Spreading } from './spreading.ts';

const registering = new OneOfEachWithin<Organization, number>();
const spreading = new Spreading();

/**
 * Registers after the other registrations of the same account, and of all bots of one owner. Two at once would take as much time of the
 * database and of this process, for which all others would wait. The queue is no longer than the account's concurrency slots allow.
 * @param askedAt when the request arrived. What it waited for the account counts for the longest wait of large organizations.
 * @throws ApiError 503 with `Retry-After`: many clients of a large organization register
 */
export function registerInTurn(registration: Registration, askedAt: number): Promise<Registered> {
  const { organization, user } = registration;
  return registering.run(organization, accountOf(user), () =>
    isLarge(registration)
      ? spreading.run(() => register(registration), performance.now() - askedAt)
      : register(registration),
  );
}

/** Whether the state contains the users of a large organization. */
function isLarge({ organization, types }: Registration): boolean {
  const { users } = organization.directory;
  return users.size >= MIN_LARGE_ORGANIZATION_USERS && (types === null || types.includes('realm_user'));
}
