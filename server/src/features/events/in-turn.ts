import { accountOf } from '../../access/bots.ts';
import { OneOfEachWithin } from '../../directory/one-at-a-time.ts';
import type { Organization } from '../../directory/organization.ts';
import { type Registered, type Registration, register } from './register.ts';

const registering = new OneOfEachWithin<Organization, number>();

/**
 * Registers after the other registrations of the same account, and of all bots of one owner. Two at once would take as much time of the
 * database and of this process, for which all others would wait. The queue is no longer than the account's concurrency slots allow.
 */
export function registerInTurn(registration: Registration): Promise<Registered> {
  const { organization, user } = registration;
  return registering.run(organization, accountOf(user), () => register(registration));
}
