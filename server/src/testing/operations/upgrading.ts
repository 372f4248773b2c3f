import assert from 'node:assert/strict';
import { tellVersion } from '../../features/upgrades/actions.ts';
import type { ServerIdentity } from '../../version.ts';
import { fc } from '../random/property.ts';
import type { TestServer } from '../server/server.ts';

/** The clients of the organization find that the server has another version than before. */
export interface Upgrading {
  readonly do: 'upgrade';
}

export const upgrading: fc.Arbitrary<Upgrading> = fc.record({ do: fc.constant('upgrade' as const) });

/** The identity of an older server. */
export const OLDER: ServerIdentity = { version: '10.4', mergeBase: '', featureLevel: 365, generation: 1_700_000_000 };

/** Makes the root organization look as if an older server had served it until now. */
export async function servedByOlder({ app: { db } }: Pick<TestServer, 'app'>, older = OLDER): Promise<void> {
  await db.updateTable('organizations').set({ told_server: older }).where('subdomain', '=', '').execute();
}

export async function performUpgrade(server: TestServer): Promise<void> {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await servedByOlder(server);
  await tellVersion(server.app.db, organization);
}
