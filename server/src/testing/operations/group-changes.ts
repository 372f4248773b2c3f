/** Changes of user groups by users, for the operations of the property tests. Users and groups are given by number. */

import type { Fields } from '../clients/client.ts';
import { fc } from '../random/property.ts';

export type GroupChanging =
  | {
      readonly do: 'found';
      readonly who: number;
      readonly members: readonly number[];
      readonly managers: readonly number[];
    }
  | { readonly do: 'amend'; readonly who: number; readonly group: number; readonly amendment: Amendment }
  | { readonly do: 'disband' | 'reopen'; readonly who: number; readonly group: number };

type Amendment =
  | { readonly description: string }
  | { readonly suffix: string }
  | { readonly mentioners: readonly number[]; readonly group: number };

interface Arbitraries {
  readonly who: fc.Arbitrary<number>;
  readonly manager: fc.Arbitrary<number>;
  readonly group: fc.Arbitrary<number>;
  readonly users: fc.Arbitrary<number[]>;
}

export function groupChanging({ who, manager, group, users }: Arbitraries): fc.Arbitrary<GroupChanging> {
  const amendment: fc.Arbitrary<Amendment> = fc.oneof(
    fc.record({ description: fc.constantFrom('', 'for everybody') }),
    fc.record({ suffix: fc.constantFrom('', '!') }),
    fc.record({ mentioners: users, group }),
  );
  const closing = fc.constantFrom('disband' as const, 'disband' as const, 'reopen' as const);
  return fc.oneof(
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('found' as const), who, members: users, managers: users }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('amend' as const), who: manager, group, amendment }) },
    { weight: 4, arbitrary: fc.record({ do: closing, who: manager, group }) },
  );
}

/** The names and ids that the operations stand for in a run. */
interface Naming {
  /** The name of the run, the prefix of the names of its groups. */
  readonly name: string;
  ids(people: readonly number[]): readonly number[];
  group(index: number): number;
  /** Sends a request as the acting user. */
  call(method: string, path: string, fields: Fields): Promise<unknown>;
}

let founded = 0;

/** Performs the operation. Ignores refusals. */
export async function performOnGroups(operation: GroupChanging, naming: Naming): Promise<void> {
  const { name, ids, group, call } = naming;
  if (operation.do === 'found') {
    const can_manage_group = { direct_members: ids(operation.managers), direct_subgroups: [] };
    const texts = { name: `${name} founded ${founded++}`, description: '' };
    await call('POST', '/user_groups/create', { ...texts, members: ids(operation.members), can_manage_group });
    return;
  }
  const path = `/user_groups/${group(operation.group)}`;
  if ('amendment' in operation) await call('PATCH', path, amended(operation, naming));
  else if (operation.do === 'disband') await call('POST', `${path}/deactivate`, {});
  else await call('PATCH', path, { deactivated: false });
}

function amended({ group, amendment }: Extract<GroupChanging, { do: 'amend' }>, naming: Naming): Fields {
  if ('description' in amendment) return amendment;
  if ('suffix' in amendment) return { name: `${naming.name} ${group}${amendment.suffix}` };
  const direct_members = naming.ids(amendment.mentioners);
  return { can_mention_group: { new: { direct_members, direct_subgroups: [naming.group(amendment.group)] } } };
}
