import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tellVersion } from '../features/upgrades/actions.ts';
import type { ServerIdentity } from '../version.ts';
import type { TestServer } from './server.ts';

/** The organization's clients find that the server is another one than it was. */
export interface Upgrading {
  readonly do: 'upgrade';
}

export const upgrading: fc.Arbitrary<Upgrading> = fc.record({ do: fc.constant('upgrade' as const) });

/** What a server before this one has left behind. */
export const OLDER: ServerIdentity = { version: '10.4', mergeBase: '', featureLevel: 365, generation: 1_700_000_000 };

/** As if an older server had served the root organization until now. */
export async function servedByOlder({ app: { db } }: Pick<TestServer, 'app'>, older = OLDER): Promise<void> {
  await db.updateTable('organizations').set({ told_server: older }).where('subdomain', '=', '').execute();
}

export async function performUpgrade(server: TestServer): Promise<void> {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await servedByOlder(server);
  await tellVersion(server.app.db, organization);
}
