import { badRequest, deactivatedUser, reactionAlreadyExists, reactionDoesNotExist } from '@heddle/api/errors.ts';
import { type MessageAudience, messageAudiences } from '../../../access/message-audience.ts';
import { messageRefusal, noSuchMessage, type SeenMessage, seeMessages } from '../../../access/message-door.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { GroupedKind, ItemResult, OptimisticChange, Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { type AskedEmoji, checkEmoji, type Emoji, meantEmoji } from './emoji.ts';
import type { ReactionBody } from './events.ts';
import { MessageReactions } from './message-reactions.ts';
import { deleteReactions, findReactions, insertReactions, type ReactionKey, unmark } from './rows.ts';

/** Different emoji per message. Every response with the message contains all of them. */
const MAX_EMOJI_PER_MESSAGE = 100;

export interface ReactionRequest {
  readonly op: 'add' | 'remove';
  readonly messageId: number;
  readonly emoji: AskedEmoji;
}

/**
 * Adds or removes a user's reaction, and notifies the users who have the message (interface document, "POST
 * /messages/{message_id}/reactions"). An emoji that is already on the message matches by its code and keeps the name
 * that it has there, even if it was renamed or deactivated since.
 * @throws ApiError `BAD_REQUEST`: this user cannot access such a message, or the emoji does not exist;
 * `REACTION_ALREADY_EXISTS`; `REACTION_DOES_NOT_EXIST`
 */
export async function changeReaction(
  organization: Organization,
  caller: UserRecord,
  request: ReactionRequest,
): Promise<void> {
  await organization.inGroup(reactionChanges, { ...request, userId: caller.id });
}

interface Item extends ReactionRequest {
  readonly userId: number;
}

/** Reactions of several users in a constant number of statements. */
const reactionChanges: GroupedKind<Item, void> = { name: 'reactions', write };

/** An item with the key to look up in the database. */
interface Asked extends ReactionKey {
  readonly item: Item;
  readonly user: UserRecord;
  /** The error, if the emoji does not exist. */
  readonly unknown: unknown;
}

async function write(
  { db, directory }: Pick<OptimisticChange, 'db' | 'directory'>,
  items: readonly Item[],
): Promise<readonly ItemResult<void>[]> {
  const organizationId = directory.organization.id;
  const asked = items.flatMap((item) => ask(directory, item) ?? []);
  // Sent together. The first statement locks the messages, so the others read their final state.
  const [seen, found, audiences] = await Promise.all([
    seeMessages(db, directory, asked, 'change'),
    findReactions(db, organizationId, asked),
    messageAudiences(db, directory, [...new Set(asked.map(({ messageId }) => messageId))]),
  ]);
  const reactions = new MessageReactions();
  for (const [index, key] of asked.entries()) {
    const there = found[index];
    if (there !== undefined) reactions.know(key, there);
  }
  const itemResults = new Map<Item, ItemResult<void>>();
  for (const [index, one] of asked.entries()) {
    itemResults.set(
      one.item,
      resultFor(directory, one, seen[index], reactions, audiences.get(one.messageId) ?? NOBODY),
    );
  }
  const { added, removed } = reactions.changes;
  // Sent together and executed in this order.
  await Promise.all([
    deleteReactions(db, organizationId, removed),
    insertReactions(db, organizationId, added),
    unmark(db, organizationId, removed),
  ]);
  return items.map((item) => itemResults.get(item) ?? { error: deactivatedUser() });
}

/** Undefined if the account is deactivated. */
function ask(directory: Directory, item: Item): Asked | undefined {
  const user = directory.user(item.userId);
  if (user === undefined || !user.isActive) return undefined;
  const common = { item, user, userId: user.id, messageId: item.messageId };
  try {
    return { ...common, ...meantEmoji(directory, item.emoji), unknown: undefined };
  } catch (unknown) {
    return { ...common, kind: 'unicode', code: '', unknown };
  }
}

function resultFor(
  directory: Directory,
  asked: Asked,
  message: SeenMessage | undefined,
  reactions: MessageReactions,
  known: MessageAudience,
): ItemResult<void> {
  const { item, user, messageId, kind, code } = asked;
  try {
    const name =
      item.op === 'add' ? add(directory, asked, message, reactions) : remove(directory, asked, message, reactions);
    const { audience, channelId, others } = withOutsiders(known, reactions.outsidersOf(asked));
    const body: ReactionBody = {
      op: item.op,
      emoji: { kind, code, name },
      user: { id: user.id, email: user.email, fullName: user.fullName },
      channelId,
      others,
    };
    const event = { type: 'reaction', audience, body, messageId };
    return { result: undefined, events: [event] };
  } catch (error) {
    return { error };
  }
}

/** Returns the emoji's name on the message. */
function add(
  directory: Directory,
  asked: Asked,
  message: SeenMessage | undefined,
  reactions: MessageReactions,
): Emoji['name'] {
  const { channelId } = checkMessage(directory, asked, message);
  if (reactions.has(asked)) throw reactionAlreadyExists();
  const name = reactions.nameOf(asked) ?? asked.item.emoji.name ?? '';
  if (reactions.nameOf(asked) === null) {
    checkEmoji(directory, { kind: asked.kind, code: asked.code, name });
    if (reactions.countOn(asked) >= MAX_EMOJI_PER_MESSAGE) {
      throw badRequest(`There are ${MAX_EMOJI_PER_MESSAGE} different emoji on this message already.`);
    }
  }
  const { messageId, userId, kind, code } = asked;
  const byOutsider = channelId !== null && !directory.subscriptions.has(channelId, userId);
  reactions.add({ messageId, userId, kind, code, name, byOutsider });
  return name;
}

function remove(
  directory: Directory,
  asked: Asked,
  message: SeenMessage | undefined,
  reactions: MessageReactions,
): Emoji['name'] {
  checkMessage(directory, asked, message);
  if (!reactions.has(asked)) throw reactionDoesNotExist();
  return reactions.remove(asked);
}

/**
 * A message that is hidden from the user gives the same error as one that does not exist. The emoji is checked only
 * after that.
 */
function checkMessage(directory: Directory, asked: Asked, message: SeenMessage | undefined): SeenMessage {
  if (message === undefined) throw noSuchMessage();
  const refusal = messageRefusal(directory, asked.user, message, 'react', Date.now() / 1000) ?? asked.unknown;
  if (refusal !== undefined) throw refusal;
  return message;
}

/** Users who react without being subscribed get the events of the message from then on. */
function withOutsiders(known: MessageAudience, outsiders: readonly number[]): MessageAudience {
  if (outsiders.length === 0) return known;
  const audience = { to: 'any', of: [known.audience, { to: 'users', users: outsiders }] } as const;
  return { ...known, audience, others: [...new Set([...known.others, ...outsiders])].sort((a, b) => a - b) };
}

const NOBODY: MessageAudience = {
  audience: { to: 'nobody' },
  channelId: null,
  topic: '',
  participants: [],
  hidden: [],
  others: [],
  keepers: [],
};
