import type { TestClient } from '../clients/client.ts';
import { fc } from '../random/property.ts';

/** Invites users, revokes invitations, or changes the allowed domains. */
export interface Inviting {
  readonly do: 'invite' | 'revoke' | 'admit' | 'widen' | 'expel';
  readonly who: number;
  readonly domain: number;
}

export function inviting(who: fc.Arbitrary<number>): fc.Arbitrary<Inviting> {
  return fc.record({
    do: fc.constantFrom('invite' as const, 'revoke' as const, 'admit' as const, 'widen' as const, 'expel' as const),
    who,
    domain: fc.nat({ max: 2 }),
  });
}

/** Performs the operation. Ignores refusals. */
export async function performInviting(operation: Inviting, person: TestClient): Promise<void> {
  const domain = `d${operation.domain}.example.com`;
  switch (operation.do) {
    case 'invite':
      await person.call('POST', '/invites/multiuse', { invite_as: 600 });
      return;
    case 'revoke': {
      const { body } = await person.call('GET', '/invites');
      await person.call('DELETE', `/invites/multiuse/${body.invites?.at(-1)?.id ?? 0}`);
      return;
    }
    case 'admit':
      await person.call('POST', '/realm/domains', { domain, allow_subdomains: false });
      return;
    case 'widen':
      await person.call('PATCH', `/realm/domains/${domain}`, { allow_subdomains: true });
      return;
    case 'expel':
      await person.call('DELETE', `/realm/domains/${domain}`);
  }
}
