/**
 * Changes of channels and folders, for the operations of the property tests. Users, channels and groups are given by
 * number.
 */

import type { Json } from '../clients/json.ts';
import { fc } from '../random/property.ts';

export type ChannelChanging =
  | { readonly do: 'amend channel'; readonly who: number; readonly channel: number; readonly to: Amendment }
  | { readonly do: 'archive'; readonly who: number; readonly channel: number }
  | { readonly do: 'folder'; readonly who: number; readonly folder: number; readonly request: FolderRequest };

type Amendment =
  | { readonly suffix: string; readonly description: string }
  | { readonly isPrivate: boolean; readonly sharesHistory: boolean; readonly isDefault: boolean }
  | { readonly isDefault: boolean }
  | { readonly folder: number | null }
  | { readonly topics: string }
  | { readonly isArchived: false }
  | { readonly permission: string; readonly users: readonly number[]; readonly group: number };

type FolderRequest = 'create' | 'reword' | 'archive' | 'unarchive' | 'reverse';

interface Arbitraries {
  readonly manager: fc.Arbitrary<number>;
  readonly channel: fc.Arbitrary<number>;
  readonly group: fc.Arbitrary<number>;
  readonly users: fc.Arbitrary<number[]>;
}

const PERMISSIONS = [
  'can_administer_channel_group',
  'can_add_subscribers_group',
  'can_subscribe_group',
  'can_send_message_group',
];

/** The number of a folder that may exist in a run. */
const folder = fc.nat({ max: 2 });

export function channelChanging({ manager, channel, group, users }: Arbitraries): fc.Arbitrary<ChannelChanging> {
  const to: fc.Arbitrary<Amendment> = fc.oneof(
    fc.record({ suffix: fc.constantFrom('', '!'), description: fc.constantFrom('', 'for all', 'see **this**') }),
    fc.record({ isPrivate: fc.boolean(), sharesHistory: fc.boolean(), isDefault: fc.constant(false) }),
    fc.record({ isDefault: fc.boolean() }),
    fc.record({ folder: fc.option(folder) }),
    fc.record({ topics: fc.constantFrom('inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only') }),
    fc.record({ isArchived: fc.constant(false as const) }),
    fc.record({ permission: fc.constantFrom(...PERMISSIONS), users, group }),
  );
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('amend channel' as const), who: manager, channel, to }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('archive' as const), who: manager, channel }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('folder' as const),
        who: manager,
        folder,
        request: fc.constantFrom<FolderRequest[]>('create', 'create', 'reword', 'archive', 'unarchive', 'reverse'),
      }),
    },
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** The names and ids that the operations stand for in a run. */
interface Naming {
  /** The name of the run, the prefix of the names of its folders. */
  readonly name: string;
  /** The original name of the channel. */
  readonly channel: string;
  ids(people: readonly number[]): readonly number[];
  group(index: number): number;
  /** Sends a request as the acting user. */
  call(method: string, path: string, fields: Fields): Promise<{ readonly body: Json }>;
}

/** Performs the operation. Ignores refusals. */
export async function performOnChannels(operation: ChannelChanging, naming: Naming): Promise<void> {
  const { body } = await naming.call('GET', '/channel_folders', { include_archived: true });
  const folders: readonly number[] = body.channel_folders?.map((folder: Json) => folder.id) ?? [];
  if (operation.do === 'folder') {
    const { method, path, fields } = folderRequest(operation, naming.name, folders);
    await naming.call(method, path, fields);
    return;
  }
  const path = `/streams/${await channelId(naming)}`;
  if (operation.do === 'archive') await naming.call('DELETE', path, {});
  else await naming.call('PATCH', path, changedChannel(operation.to, naming, folders));
}

/** The id of the channel, even if it was renamed, or 0 if there is none. */
async function channelId({ channel, call }: Naming): Promise<number> {
  for (const stream of [channel, `${channel}!`]) {
    const { body } = await call('GET', '/get_stream_id', { stream });
    if (body.stream_id !== undefined) return body.stream_id;
  }
  return 0;
}

/** The parameters of `PATCH /streams/{stream_id}`. */
function changedChannel(to: Amendment, { channel, ids, group }: Naming, folders: readonly number[]): Fields {
  if ('suffix' in to) return { new_name: `${channel}${to.suffix}`, description: to.description };
  if ('isPrivate' in to) {
    const history_public_to_subscribers = to.sharesHistory || !to.isPrivate;
    return { is_private: to.isPrivate, history_public_to_subscribers, is_default_stream: to.isDefault };
  }
  if ('isDefault' in to) return { is_default_stream: to.isDefault };
  if ('folder' in to) return { folder_id: to.folder === null ? null : (folders.at(-1 - to.folder) ?? null) };
  if ('topics' in to) return { topics_policy: to.topics };
  if ('isArchived' in to) return { is_archived: false };
  return { [to.permission]: { new: { direct_members: ids(to.users), direct_subgroups: [group(to.group)] } } };
}

function folderRequest(
  { folder: index, request }: Extract<ChannelChanging, { do: 'folder' }>,
  run: string,
  folders: readonly number[],
): { readonly method: string; readonly path: string; readonly fields: Fields } {
  const name = `${run} folder ${index}`;
  const path = `/channel_folders/${folders.at(-1 - index) ?? 0}`;
  switch (request) {
    case 'create':
      return { method: 'POST', path: '/channel_folders/create', fields: { name, description: `of ${run}` } };
    case 'reword':
      return { method: 'PATCH', path, fields: { name: `${name}, reworded`, description: '' } };
    case 'archive':
      return { method: 'PATCH', path, fields: { is_archived: true } };
    case 'unarchive':
      return { method: 'PATCH', path, fields: { is_archived: false } };
    case 'reverse':
      return { method: 'PATCH', path: '/channel_folders', fields: { order: folders.toReversed() } };
  }
}
