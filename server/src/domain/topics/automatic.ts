/**
 * Policies that change because of sent messages (public reference: "Automatically follow topics", "Automatically unmute
 * topics in muted channels"). They concern the sender, by the settings for sending and starting topics, and users
 * mentioned by name.
 */
import type { Db, DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Organization } from '../../directory/organization.ts';
import type { NewEvent } from '../../log/event.ts';
import { type TopicSettings, topicSettingsOf, When } from '../users/user-settings/queries.ts';
import { applyPolicies, findTopicStates, type PlannedPolicy, Policy, type TopicState } from './policies.ts';
import { type Role, unchangedPoliciesOf } from './unchanged-policies.ts';

/** The parts of a channel message that matter for policies. */
export interface SentInTopic {
  readonly channelId: number;
  readonly topic: string;
  readonly senderId: number;
  /** The users whom it mentions by name, and who get it. */
  readonly mentioned: readonly number[];
}

/** A user whose policy the message may change, and the reason. */
interface Concerned extends PlannedPolicy {
  readonly role: Role;
}

/** Returns the users whose policies the message may change. Bots have none. */
function concernedBy(directory: Directory, { channelId, topic, senderId, mentioned }: SentInTopic): Concerned[] {
  const concerned: Concerned[] = [];
  const add = (userId: number, role: Role, mayChange: (settings: TopicSettings) => boolean, by: Decision) => {
    const user = directory.user(userId);
    if (user === undefined || user.isBot || !user.isActive) return;
    const settings = topicSettingsOf(user);
    if (!mayChange(settings)) return;
    concerned.push({ userId, channelId, topic, role, decide: (state) => by(settings, state) });
  };
  const sending = ({ follow, unmute }: TopicSettings) => follow !== When.never || unmute !== When.never;
  add(senderId, 'sender', sending, policyAfterSending);
  for (const userId of mentioned) add(userId, 'mentioned', ({ followMentions }) => followMentions, policyWhenMentioned);
  return concerned;
}

type Decision = (settings: TopicSettings, state: TopicState) => Policy | undefined;

/** The sender's new policy after sending; undefined for no change. It never makes a topic less visible. */
export function policyAfterSending(
  { follow, unmute }: Pick<TopicSettings, 'follow' | 'unmute'>,
  { policy, inMutedChannel, hasMessages }: TopicState,
): Policy | undefined {
  if (policy === Policy.followed) return undefined;
  // A topic with a policy is not new to the user, even without messages.
  const begins = policy === Policy.none && !hasMessages;
  const applies = (when: When) =>
    when === When.participating || when === When.sending || (when === When.beginning && begins);
  if (applies(follow)) return Policy.followed;
  if (inMutedChannel && applies(unmute) && policy !== Policy.unmuted) return Policy.unmuted;
  return undefined;
}

/** A mention does not make a muted topic visible. */
function policyWhenMentioned(_: TopicSettings, { policy }: TopicState): Policy | undefined {
  return policy === Policy.muted || policy === Policy.followed ? undefined : Policy.followed;
}

/**
 * Returns the concerned users whose policy is not known to stay the same. In a topic where all of them wrote before,
 * the list is empty. That costs one lookup for the sender and one per mention.
 */
export function possibleChanges(organization: Organization, sent: SentInTopic): readonly Concerned[] {
  const unchanged = unchangedPoliciesOf(organization);
  return concernedBy(organization.directory, sent).filter((one) => !unchanged.has(one));
}

/**
 * Whether one of the policies would change, according to the database. One statement. Remembers the users whose policy
 * stays the same.
 */
export async function wouldChange(
  db: Db,
  organization: Organization,
  concerned: readonly Concerned[],
): Promise<boolean> {
  const unchanged = unchangedPoliciesOf(organization);
  const asOf = unchanged.version;
  const states = await findTopicStates(db, organization.directory, concerned);
  const staying = concerned.filter((one, place) => {
    const state = states[place];
    return state !== undefined && one.decide(state) === undefined;
  });
  unchanged.add(staying, asOf);
  return staying.length < concerned.length;
}

export interface AutomaticChange {
  /** The sender's new policy; undefined if it stays the same. */
  readonly policy: Policy | undefined;
  readonly events: readonly NewEvent[];
}

/** Applies the policy changes of messages in the commit that sends them. A user at the bound keeps the old policy. */
export async function changeAutomatically(
  db: DbTransaction,
  directory: Directory,
  messages: readonly SentInTopic[],
): Promise<readonly AutomaticChange[]> {
  const plannedPolicies = messages.flatMap((sent, message) =>
    concernedBy(directory, sent).map((one) => ({ ...one, message })),
  );
  const applied = await applyPolicies(db, directory, plannedPolicies);
  const changes = messages.map((): { policy: Policy | undefined; events: NewEvent[] } => ({
    policy: undefined,
    events: [],
  }));
  for (const [place, { message, role }] of plannedPolicies.entries()) {
    const result = applied[place];
    const change = changes[message];
    if (result === undefined || change === undefined || 'error' in result) continue;
    change.events.push(...result.events);
    if (role === 'sender') change.policy = result.policy;
  }
  return changes;
}
