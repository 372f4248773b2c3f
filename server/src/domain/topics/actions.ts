import { badRequest, invalidParameter } from '@heddle/api/errors.ts';
import { accessChannel, type ChannelName } from '../../access/channels.ts';
import { MAX_TOPIC_LENGTH } from '../../access/limits.ts';
import { activeUser } from '../../directory/active-user.ts';
import type { Directory } from '../../directory/directory.ts';
import type { GroupedKind, ItemResult, Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { hasMetadataAccess } from '../../directory/visibility.ts';
import { checkedTopic } from '../texts/shared/topic-names.ts';
import { type AppliedPolicy, applyPolicies, type PlannedPolicy, Policy } from './policies.ts';

export interface PolicyChange {
  readonly channel: ChannelName;
  readonly topic: string;
  readonly policy: Policy;
  /** An error text for a channel that the caller cannot access, instead of the usual one. */
  readonly unknownChannel?: string;
}

/**
 * Sets the caller's policy for a topic (interface document, `POST /user_topics`). A request for the current policy
 * changes nothing. Removing an existing policy needs no access to the channel.
 * @throws ApiError `BAD_REQUEST`: the channel is archived or the caller cannot access it; the topic is invalid; too
 *   many topics
 */
export async function changePolicy(
  organization: Organization,
  caller: UserRecord,
  change: PolicyChange,
): Promise<void> {
  if ([...change.topic.trim()].length > MAX_TOPIC_LENGTH) {
    throw invalidParameter('topic', `is too long (limit: ${MAX_TOPIC_LENGTH} characters)`);
  }
  const topic = checkedTopic(change.topic);
  await organization.inGroup(policyChanges, { ...change, topic, callerId: caller.id });
}

interface Item extends PolicyChange {
  readonly callerId: number;
}

/** Writes the changes of many users in a constant number of statements. */
const policyChanges: GroupedKind<Item, undefined> = {
  name: 'topic policies',
  async write({ db, directory }, items) {
    const asked = items.map((item) => plannedPolicyOf(directory, item));
    const plannedPolicies = asked.flatMap((one) => ('error' in one ? [] : one));
    const results = await applyPolicies(db, directory, plannedPolicies);
    const done = new Map(plannedPolicies.map((plannedPolicy, place) => [plannedPolicy, results[place]] as const));
    return asked.map((one) => ('error' in one ? one : itemResultOf(done.get(one))));
  },
};

function itemResultOf(result: AppliedPolicy | undefined): ItemResult<undefined> {
  if (result === undefined) throw new Error('a plannedPolicy without a result');
  return 'error' in result ? result : { result: undefined, events: result.events };
}

function plannedPolicyOf(
  directory: Directory,
  { callerId, channel: named, topic, policy, unknownChannel }: Item,
): PlannedPolicy | { readonly error: unknown } {
  try {
    const user = activeUser(directory, callerId);
    const channel = policy === Policy.none ? undefined : accessChannel(directory, user, named, 'read');
    if (channel?.isArchived) throw noSuchChannel(named);
    const found =
      channel ?? (typeof named === 'number' ? directory.channel(named) : directory.channelByName(named.trim()));
    const unknown = () => (unknownChannel === undefined ? noSuchChannel(named) : badRequest(unknownChannel));
    if (found === undefined) throw unknown();
    return {
      userId: user.id,
      channelId: found.id,
      topic,
      decide(state) {
        const isHidden = state.policy === Policy.none && !hasMetadataAccess(directory, user, found);
        if (isHidden) throw unknown();
        return policy;
      },
    };
  } catch (error) {
    return { error };
  }
}

/** The error for a missing channel, also used for a hidden one. */
function noSuchChannel(named: ChannelName) {
  return badRequest(typeof named === 'number' ? 'Invalid channel ID' : `Invalid channel name '${named}'`);
}
