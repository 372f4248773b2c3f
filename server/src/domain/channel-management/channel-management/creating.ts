import type { Parameters } from '@heddle/api/contract.ts';
import type { createChannel as createChannelEndpoint } from '@heddle/api/endpoints/channels.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Change } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { checkNewChannels, createChannel, type NewChannel } from '../../channels/actions.ts';
import { newChannelSettings } from '../../channels/new-channel.ts';
import { announceChannels, createdText, noticeCreated } from '../../sending/channel-notices/notices.ts';
import { noticeContextOf } from '../../sending/sending/notices.ts';
import { descriptionRenderer } from '../../texts/descriptions/descriptions.ts';
import { addSubscribers } from '../subscriptions/actions.ts';
import { batchesOf, CREATION_COST_MEMBERSHIPS, type Planned, type Step } from '../subscriptions/batches.ts';
import type { GivenColors } from '../subscriptions/colors.ts';
import { activeUsers } from '../subscriptions/queries.ts';
import { readColors } from '../subscriptions/rows.ts';

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
  const noticeContext = noticeContextOf(directory, creator, organizationUrl);
  const colors: GivenColors = new Map();
  let id = 0;

  const create = async (change: Change, user: UserRecord, firstIds: readonly number[]) => {
    activeUsers(change.directory, user, firstIds);
    const created = await createChannel(change, channelFor(change.directory, user), { creatorId: user.id, render });
    await addSubscribers(change, [{ channel: created, userIds: firstIds }], colors);
    noticeCreated(change, [created], firstIds, { ...noticeContext, actor: user });
    if (parameters.announce) {
      announceChannels(change, [created], { ...noticeContext, actor: user }, { channelIds: [], userIds: [] });
    }
    return () => {
      id = created.id;
    };
  };
  const fill = async (change: Change, user: UserRecord, moreIds: readonly number[]) => {
    activeUsers(change.directory, user, moreIds);
    const created = change.directory.channel(id);
    if (created !== undefined) await addSubscribers(change, [{ channel: created, userIds: moreIds }], colors);
    return () => undefined;
  };
  function* ahead(): Iterable<unknown> {
    if (described === undefined) return;
    yield render(described.description);
    yield noticeContext.render(createdText(described, creator));
  }
  const batches = batchesOf([channel], userIds, () => CREATION_COST_MEMBERSHIPS);
  const steps = batches.map((batch, index): Step => {
    const read: Step['read'] = (db) => readColors(db, directory.organization.id, colors, batch.userIds);
    if (index === 0) return { read, ahead, act: (change, user) => create(change, user, batch.userIds) };
    return { read, act: (change, user) => fill(change, user, batch.userIds) };
  });
  return { steps, answer: () => ({ id }) };
}
