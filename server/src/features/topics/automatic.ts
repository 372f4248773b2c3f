/**
 * Policies that follow from messages (public reference: "Automatically follow topics", "Automatically unmute topics in muted channels"):
 * of who sends one, by what their settings say of sending and of beginning topics, and of people whom it mentions by name.
 */
import type { Db, DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Organization } from '../../directory/organization.ts';
import type { NewEvent } from '../../log/event.ts';
import { type TopicSettings, topicSettingsOf, When } from '../user-settings/queries.ts';
import { findStandings, fulfil, Policy, type Standing, type Wish } from './policies.ts';
import { type Role, settledOf } from './settled.ts';

/** A message of a channel, as far as it concerns policies. */
export interface SentInTopic {
  readonly channelId: number;
  readonly topic: string;
  readonly senderId: number;
  /** Those who are mentioned by name, and get the message. */
  readonly mentioned: readonly number[];
}

/** Whom a message concerns, and as what; undefined in memory's account of who is settled. */
interface Concerned extends Wish {
  readonly role: Role;
}

/** Those whose policies the message may change; only people have any. */
function concernedBy(directory: Directory, { channelId, topic, senderId, mentioned }: SentInTopic): Concerned[] {
  const concerned: Concerned[] = [];
  const add = (userId: number, role: Role, mayChange: (settings: TopicSettings) => boolean, by: Decision) => {
    const user = directory.user(userId);
    if (user === undefined || user.isBot || !user.isActive) return;
    const settings = topicSettingsOf(user);
    if (!mayChange(settings)) return;
    concerned.push({ userId, channelId, topic, role, decide: (standing) => by(settings, standing) });
  };
  const sending = ({ follow, unmute }: TopicSettings) => follow !== When.never || unmute !== When.never;
  add(senderId, 'sender', sending, policyAfterSending);
  for (const userId of mentioned) add(userId, 'mentioned', ({ followMentions }) => followMentions, policyWhenMentioned);
  return concerned;
}

type Decision = (settings: TopicSettings, standing: Standing) => Policy | undefined;

/** The policy that sending gives the sender; undefined where it changes nothing. It never makes a topic less visible. */
export function policyAfterSending(
  { follow, unmute }: Pick<TopicSettings, 'follow' | 'unmute'>,
  { policy, inMutedChannel, hasMessages }: Standing,
): Policy | undefined {
  if (policy === Policy.followed) return undefined;
  // Who has said how to see a topic does not begin it.
  const begins = policy === Policy.none && !hasMessages;
  const applies = (when: When) =>
    when === When.participating || when === When.sending || (when === When.beginning && begins);
  if (applies(follow)) return Policy.followed;
  if (inMutedChannel && applies(unmute) && policy !== Policy.unmuted) return Policy.unmuted;
  return undefined;
}

/** Being mentioned does not bring back what was muted. */
function policyWhenMentioned(_: TopicSettings, { policy }: Standing): Policy | undefined {
  return policy === Policy.muted || policy === Policy.followed ? undefined : Policy.followed;
}

/**
 * Whom the message concerns whose policy memory cannot say to stay as it is. In a topic where people have written before that is nobody,
 * and costs one look for the sender and each mention.
 */
export function unsettledBy(organization: Organization, sent: SentInTopic): readonly Concerned[] {
  const settled = settledOf(organization);
  return concernedBy(organization.directory, sent).filter((one) => !settled.has(one));
}

/** Whether any of their policies would change, as the database has it. One statement; those who stay as they are remain known. */
export async function wouldChange(
  db: Db,
  organization: Organization,
  concerned: readonly Concerned[],
): Promise<boolean> {
  const settled = settledOf(organization);
  const asOf = settled.version;
  const standings = await findStandings(db, organization.directory, concerned);
  const staying = concerned.filter((one, place) => {
    const standing = standings[place];
    return standing !== undefined && one.decide(standing) === undefined;
  });
  settled.add(staying, asOf);
  return staying.length < concerned.length;
}

export interface AutomaticChange {
  /** The sender's, unless it is as it was. */
  readonly policy: Policy | undefined;
  readonly events: readonly NewEvent[];
}

/** Changes the policies that the messages change, in the commit that sends them. Who has too many topics keeps what they have. */
export async function changeAutomatically(
  db: DbTransaction,
  directory: Directory,
  messages: readonly SentInTopic[],
): Promise<readonly AutomaticChange[]> {
  const wishes = messages.flatMap((sent, message) => concernedBy(directory, sent).map((one) => ({ ...one, message })));
  const fulfilled = await fulfil(db, directory, wishes);
  const changes = messages.map((): { policy: Policy | undefined; events: NewEvent[] } => ({
    policy: undefined,
    events: [],
  }));
  for (const [place, { message, role }] of wishes.entries()) {
    const result = fulfilled[place];
    const change = changes[message];
    if (result === undefined || change === undefined || 'error' in result) continue;
    change.events.push(...result.events);
    if (role === 'sender') change.policy = result.policy;
  }
  return changes;
}
