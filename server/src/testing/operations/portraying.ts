import type { TestClient } from '../clients/client.ts';
import { plainPicture, upload } from '../clients/uploading.ts';
import { fc } from '../random/property.ts';

/** Sets or removes an avatar or an image of the organization. */
export interface Portraying {
  readonly do: 'portray' | 'unveil';
  readonly who: number;
  readonly what: 'avatar' | 'icon' | 'logo' | 'night logo';
}

export function portraying(who: fc.Arbitrary<number>): fc.Arbitrary<Portraying> {
  return fc.record({
    do: fc.constantFrom('portray' as const, 'portray' as const, 'unveil' as const),
    who,
    what: fc.constantFrom(
      'avatar' as const,
      'avatar' as const,
      'icon' as const,
      'logo' as const,
      'night logo' as const,
    ),
  });
}

const PLACES = {
  avatar: { path: '/users/me/avatar', fields: {} },
  icon: { path: '/realm/icon', fields: {} },
  logo: { path: '/realm/logo', fields: { night: false } },
  'night logo': { path: '/realm/logo', fields: { night: true } },
};

/** Performs the operation. Ignores refusals. */
export async function performPortraying(operation: Portraying, url: string, person: TestClient): Promise<void> {
  const { path, fields } = PLACES[operation.what];
  if (operation.do === 'unveil') await person.call('DELETE', path, fields);
  else await upload(url, person, { path, fields, file: await plainPicture() });
}
