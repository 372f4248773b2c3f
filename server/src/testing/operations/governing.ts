import { fc } from '../random/property.ts';

/** Changes a setting, the service of GIFs or a permission of the organization. Users and groups are given by number. */
export type Governing =
  | { readonly do: 'govern'; readonly who: number; readonly rule: readonly [property: string, value: unknown] }
  | { readonly do: 'amuse'; readonly who: number; readonly service: string; readonly rating: string }
  | {
      readonly do: 'let';
      readonly who: number;
      readonly permission: string;
      readonly group: number;
      readonly whom: readonly number[];
    };

const PERMISSIONS = [
  'can_create_public_channel_group',
  'can_create_private_channel_group',
  'can_add_subscribers_group',
];

export function governing(by: fc.Arbitrary<number>, group: fc.Arbitrary<number>, people: fc.Arbitrary<number[]>) {
  const permission = fc.constantFrom(...PERMISSIONS, 'can_mention_many_users_group');
  return fc.oneof(
    fc.record({ do: fc.constant('govern' as const), who: by, rule }),
    fc.record({
      do: fc.constant('amuse' as const),
      who: by,
      service: fc.constantFrom('none', 'giphy', 'tenor'),
      rating: fc.constantFrom('g', 'pg'),
    }),
    fc.record({ do: fc.constant('let' as const), who: by, permission, group, whom: people }),
  );
}

const rule = fc.oneof(
  fc.tuple(fc.constant('waiting_period_threshold'), fc.constantFrom(0, 0, 1, 30)),
  fc.tuple(fc.constant('topics_policy'), fc.constantFrom('allow_empty_topic', 'disable_empty_topic')),
  fc.tuple(fc.constantFrom('enable_spectator_access', 'require_unique_names'), fc.boolean()),
  fc.tuple(fc.constantFrom('name', 'description'), fc.constantFrom('Weavers', 'Spinners')),
  fc.tuple(fc.constant('move_messages_within_stream_limit_seconds'), fc.constantFrom('unlimited', 60)),
);

/** The path and the parameters of the `PATCH` request. */
export function governed(
  operation: Governing,
  world: { readonly ids: (people: readonly number[]) => number[]; readonly group: (index: number) => number },
): readonly [path: string, fields: Readonly<Record<string, unknown>>] {
  if (operation.do === 'govern') return ['/realm', { [operation.rule[0]]: operation.rule[1] }];
  if (operation.do === 'amuse') {
    const { service, rating } = operation;
    return ['/realm/gif_picker', service === 'none' ? { service } : { service, rating, api_key: 'a key' }];
  }
  const named = { direct_members: world.ids(operation.whom), direct_subgroups: [world.group(operation.group)] };
  return ['/realm', { [operation.permission]: { new: named } }];
}

/** The parameters that revert settings of earlier runs that would restrict this one. */
export function ungoverned(members: number): Readonly<Record<string, unknown>> {
  return {
    ...Object.fromEntries(PERMISSIONS.map((name) => [name, { new: members }])),
    waiting_period_threshold: 0,
    topics_policy: 'allow_empty_topic',
    enable_spectator_access: false,
    require_unique_names: false,
  };
}
