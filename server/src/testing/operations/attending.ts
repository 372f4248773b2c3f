import { presencesOf } from '../../domain/presence/queries.ts';
import type { TestClient } from '../clients/client.ts';
import { fc } from '../random/property.ts';
import type { TestServer } from '../server/server.ts';

/** A user is active, disables or enables presence, or sets their status. */
export interface Attending {
  readonly do: 'attend' | 'hide' | 'appear' | 'say';
  readonly who: number;
  readonly status: 'active' | 'idle';
}

export function attending(resident: fc.Arbitrary<number>): fc.Arbitrary<Attending> {
  return fc.record({
    do: fc.constantFrom('attend' as const, 'attend' as const, 'hide' as const, 'appear' as const, 'say' as const),
    who: resident,
    status: fc.constantFrom('active' as const, 'idle' as const),
  });
}

/** Resolves when the change is in the log and applied, so that all users can receive its events. */
export async function performAttending(
  { do: what, status }: Attending,
  server: TestServer,
  person: TestClient,
): Promise<void> {
  if (what === 'say') {
    const emoji_name = status === 'active' ? 'octopus' : '';
    await person.call('POST', '/users/me/status', { status_text: status, emoji_name });
    return;
  }
  if (what === 'attend') await person.call('POST', '/users/me/presence', { status, ping_only: true });
  else await person.call('PATCH', '/settings', { presence_enabled: what === 'appear' });
  const organization = await server.app.organizations.bySubdomain('');
  if (organization === undefined) throw new Error('there is no organization');
  await presencesOf(server.app, organization).flush();
  await organization.catchUp();
}
