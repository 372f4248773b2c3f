import { SystemGroup } from '../../directory/records.ts';
import type { TestClient } from '../clients/client.ts';
import type { Json } from '../clients/json.ts';
import { fc } from '../random/property.ts';

/** The organization starts or stops hiding users from guests. */
export interface Hiding {
  readonly do: 'hide people';
  readonly who: number;
  readonly hides: boolean;
}

export function hiding(who: fc.Arbitrary<number>): fc.Arbitrary<Hiding> {
  return fc.record({ do: fc.constant('hide people' as const), who, hides: fc.boolean() });
}

/** Performs the operation. Ignores refusals. */
export async function performHiding({ hides }: Pick<Hiding, 'hides'>, person: TestClient): Promise<void> {
  const { user_groups: groups = [] } = (await person.call('GET', '/user_groups')).body;
  const name = hides ? SystemGroup.members : SystemGroup.everyone;
  const id = groups.find((group: Json) => group.name === name)?.id ?? 0;
  await person.call('PATCH', '/realm', { can_access_all_users_group: { new: id } });
}
