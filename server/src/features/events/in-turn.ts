import { accountOf } from '../../access/bots.ts';
import { OneOfEachWithin } from '../../directory/one-at-a-time.ts';
import type { Organization } from '../../directory/organization.ts';
import { type Registered, type Registration, register } from './register.ts';

const registering = new OneOfEachWithin<Organization, number>();

/**
 * Registers when others of the same account are done, and of all bots that are one owner's: what two of them take of the database's and
 * of this process's time at once, everybody else would wait for. No more wait here than the account has requests that are worked on.
 */
export function registerInTurn(registration: Registration): Promise<Registered> {
  const { organization, user } = registration;
  return registering.run(organization, accountOf(user), () => register(registration));
}
