import assert from 'node:assert/strict';
import type { Change } from '../../directory/organization.ts';
import { addEmoji } from '../../domain/texts/emoji/actions.ts';
import type { TestClient } from '../clients/client.ts';
import { fc } from '../random/property.ts';

/** A user reacts, or an emoji changes. Users, messages and emoji are given by number. */
export type Reacting =
  | {
      readonly do: 'react';
      readonly who: number;
      readonly method: 'POST' | 'DELETE';
      readonly message: number;
      readonly emoji: 'octopus' | 'zulip' | 'loom';
    }
  | { readonly do: 'adorn' | 'unadorn'; readonly who: number };

export function reacting(who: fc.Arbitrary<number>): fc.Arbitrary<Reacting> {
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('react' as const),
        who,
        method: fc.constantFrom('POST' as const, 'POST' as const, 'DELETE' as const),
        message: fc.nat({ max: 2 }),
        emoji: fc.constantFrom('octopus' as const, 'zulip' as const, 'loom' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('adorn' as const, 'unadorn' as const), who }) },
  );
}

interface Scene {
  readonly person: TestClient;
  readonly message: number;
  /** Refusals count like successes. */
  readonly change: (act: (change: Change) => Promise<unknown>) => Promise<void>;
}

export async function performReacting(operation: Reacting, { person, message, change }: Scene): Promise<void> {
  switch (operation.do) {
    case 'react':
      await person.call(operation.method, `/messages/${message}/reactions`, { emoji_name: operation.emoji });
      break;
    case 'adorn':
      await change(async (open) => {
        const author = open.directory.user(person.userId);
        assert(author !== undefined);
        const pictures = { extension: 'png', picture: Buffer.from('not drawn here'), still: null } as const;
        await addEmoji(open, author, { name: 'loom', pictures });
      });
      break;
    case 'unadorn':
      await person.call('DELETE', '/realm/emoji/loom');
  }
}
