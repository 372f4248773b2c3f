import { badRequest, invalidParameter } from '@heddle/api/errors.ts';
import { accessChannel, type ChannelName } from '../../access/channels.ts';
import { MAX_TOPIC_LENGTH } from '../../access/limits.ts';
import { activeUser } from '../../directory/active-user.ts';
import type { Directory } from '../../directory/directory.ts';
import type { GroupedKind, Organization, Verdict } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { knowsChannel } from '../../directory/visibility.ts';
import { checkedTopic } from '../topic-names.ts';
import { type Fulfilled, fulfil, Policy, type Wish } from './policies.ts';

export {
  type AutomaticChange,
  changeAutomatically,
  type SentInTopic,
  unsettledBy,
  wouldChange,
} from './automatic.ts';
export { beginByMoving, carryPolicies, followersOf } from './moved.ts';
export { Policy } from './policies.ts';

export interface PolicyChange {
  readonly channel: ChannelName;
  readonly topic: string;
  readonly policy: Policy;
  /** Words for a channel that does not exist for the caller, where they are not those for all channels. */
  readonly unknownChannel?: string;
}

/**
 * Says how the caller wants to see a topic (interface document, `POST /user_topics`). What is so already is no change. Policies are taken
 * back without access to the channel, where there are any.
 * @throws ApiError `BAD_REQUEST`: no such channel for the caller, or it is archived; a topic that cannot be, or too many of them
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

/** Many users' changes in a constant number of statements. */
const policyChanges: GroupedKind<Item, undefined> = {
  name: 'topic policies',
  async write({ db, directory }, items) {
    const asked = items.map((item) => wishOf(directory, item));
    const wishes = asked.flatMap((one) => ('error' in one ? [] : one));
    const results = await fulfil(db, directory, wishes);
    const done = new Map(wishes.map((wish, place) => [wish, results[place]] as const));
    return asked.map((one) => ('error' in one ? one : verdictOf(done.get(one))));
  },
};

function verdictOf(result: Fulfilled | undefined): Verdict<undefined> {
  if (result === undefined) throw new Error('a wish without a result');
  return 'error' in result ? result : { result: undefined, events: result.events };
}

function wishOf(
  directory: Directory,
  { callerId, channel: named, topic, policy, unknownChannel }: Item,
): Wish | { readonly error: unknown } {
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
      decide(standing) {
        const isHidden = standing.policy === Policy.none && !knowsChannel(directory, user, found);
        if (isHidden) throw unknown();
        return policy;
      },
    };
  } catch (error) {
    return { error };
  }
}

/** The same words for a channel that is hidden from the user. */
function noSuchChannel(named: ChannelName) {
  return badRequest(typeof named === 'number' ? 'Invalid channel ID' : `Invalid channel name '${named}'`);
}
