import type { Parameters } from '@heddle/api/contract.ts';
import type { createChannel as createChannelEndpoint } from '@heddle/api/endpoints/channels.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Change } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { announceChannels, createdText, noticeCreated } from '../channel-notices/notices.ts';
import { checkNewChannels, createChannel, type NewChannel, reserveChannelIds } from '../channels/actions.ts';
import { newChannelSettings } from '../channels/new-channel.ts';
import { descriptionRenderer } from '../descriptions/descriptions.ts';
import { noticingOf } from '../sending/notices.ts';
import { addSubscribers } from '../subscriptions/actions.ts';
import { activeUsers } from '../subscriptions/queries.ts';
import { colorsOf } from '../subscriptions/rows.ts';
import {
  CREATION_COST,
  isWrittenAhead,
  type Planned,
  SIZES,
  type Slice,
  type Step,
  slicesOf,
} from '../subscriptions/slices.ts';
import { UndatedSubscriptions } from '../subscriptions/undated.ts';

interface Creating {
  readonly creator: UserRecord;
  readonly parameters: Parameters<typeof createChannelEndpoint>;
  /** The URL of the organization, without a trailing slash. */
  readonly organizationUrl: string;
}

/**
 * Plans a new channel with its first message and subscribers: one commit, or several for very many subscribers. The
 * result is the id. Checks everything here, and each step checks again.
 * @throws ApiError if the creator lacks a permission, or the channel exists
 */
export function planCreating(
  directory: Directory,
  { creator, parameters, organizationUrl }: Creating,
  sizes = SIZES,
): Planned<{ id: number }> {
  const { name, description, subscribers } = parameters;
  const channelFor = (exact: Directory, user: UserRecord): NewChannel => ({
    ...newChannelSettings(exact, user, parameters),
    name,
    description,
  });
  const channel = channelFor(directory, creator);
  const userIds = activeUsers(directory, creator, subscribers).map((user) => user.id);
  const [described] = checkNewChannels(directory, [channel], creator.id);
  const render = descriptionRenderer(directory, creator.id, organizationUrl);
  const noticing = noticingOf(directory, creator, organizationUrl);
  let id = 0;

  const create = async (
    change: Change,
    user: UserRecord,
    slice: Slice<NewChannel>,
    undated: UndatedSubscriptions | undefined,
  ) => {
    activeUsers(change.directory, user, slice.userIds);
    const wanted = channelFor(change.directory, user);
    const creation = { creatorId: user.id, render, ids: undated?.idsOf(change.directory, [wanted.name]) };
    const created = await createChannel(change, wanted, creation);
    await addSubscribers(change, [{ channel: created, userIds: slice.userIds }], { undated });
    noticeCreated(change, [created], slice.userIds, { ...noticing, actor: user });
    if (parameters.announce) {
      const joining = { channelIds: [], userIds: [] };
      announceChannels(change, [created], { ...noticing, actor: user }, joining);
    }
    return () => {
      id = created.id;
    };
  };
  const fill = async (
    change: Change,
    user: UserRecord,
    { userIds: more }: Slice<NewChannel>,
    undated: UndatedSubscriptions | undefined,
  ) => {
    activeUsers(change.directory, user, more);
    const created = change.directory.channel(id);
    if (created !== undefined) await addSubscribers(change, [{ channel: created, userIds: more }], { undated });
    return () => undefined;
  };
  const write = async (db: DbTransaction, more: readonly number[]) => {
    const created = await reserveChannelIds(db, id === 0 ? [name] : []);
    const joined = { id: created.get(name) ?? id, isNew: id === 0 };
    const colors = await colorsOf(db, directory.organization.id, more);
    return UndatedSubscriptions.write(db, directory.organization.id, {
      channels: [joined],
      userIds: more,
      colors,
      created,
    });
  };
  function* ahead(): Iterable<unknown> {
    if (described === undefined) return;
    yield render(described.description);
    yield noticing.render(createdText(described, creator));
  }
  const steps = slicesOf([channel], userIds, () => CREATION_COST, sizes.mostInSlice).map((slice, index): Step => {
    const written = isWrittenAhead(slice, sizes) && { write: (db: DbTransaction) => write(db, slice.userIds) };
    if (index === 0) return { ahead, ...written, act: (change, user, undated) => create(change, user, slice, undated) };
    return { ...written, act: (change, user, undated) => fill(change, user, slice, undated) };
  });
  return { steps, answer: () => ({ id }) };
}
