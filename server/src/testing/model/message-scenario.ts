/** Random operations in a small organization, for properties of messages. */

import { Role } from '../../directory/records.ts';
import { fc } from '../random/property.ts';
import type { TestServer } from '../server/server.ts';
import { MessageModel, type ModelChannel, type ModelChannelKind, type ModelTerm } from './message-model.ts';

const kinds: readonly ModelChannelKind[] = ['public', 'shared', 'protected'];
const index = fc.nat({ max: 1000 });
const who = fc.nat({ max: 2 });

const send = fc.record({
  does: fc.constant('send' as const),
  who,
  channel: index,
  topic: fc.constantFrom('', 'weather', 'Weather'),
  mention: fc.constantFrom('none', 'none', 'none', 'all', 'topic', 'person', 'many'),
  read: fc.boolean(),
});
const direct = fc.record({
  does: fc.constant('direct' as const),
  who,
  others: fc.array(who, { minLength: 1 }),
  mentionsAll: fc.boolean(),
  read: fc.boolean(),
});
const subscribe = fc.record({ does: fc.constant('subscribe' as const), who, channel: index });
const unsubscribe = fc.record({ does: fc.constant('unsubscribe' as const), who, channel: index });
const mark = fc.record({
  does: fc.constant('mark' as const),
  who,
  flag: fc.constantFrom('read', 'read', 'read', 'starred', 'collapsed'),
  op: fc.constantFrom('add', 'remove'),
  messages: fc.array(index, { minLength: 1, maxLength: 12 }),
});
const readAll = fc.record({ does: fc.constant('read all' as const), who });
const move = fc.record({
  does: fc.constant('move' as const),
  who: fc.constant(0),
  messages: fc.array(index, { minLength: 1, maxLength: 6 }),
  channel: index,
  topic: fc.constantFrom('', 'weather', 'Weather'),
});
const edit = fc.record({
  does: fc.constant('edit' as const),
  who,
  message: index,
  mention: fc.constantFrom('none', 'all', 'topic', 'person'),
});
const remove = fc.record({
  does: fc.constant('delete' as const),
  who: fc.constant(0),
  messages: fc.array(index, { minLength: 1, maxLength: 2 }),
});

/** One operation. Users, channels and messages are given by number, which the model maps to existing ones. */
export const step = fc.oneof(
  { weight: 5, arbitrary: send },
  { weight: 2, arbitrary: direct },
  { weight: 3, arbitrary: subscribe },
  { weight: 1, arbitrary: unsubscribe },
  { weight: 4, arbitrary: mark },
  { weight: 1, arbitrary: readAll },
  { weight: 4, arbitrary: move },
  { weight: 3, arbitrary: edit },
  { weight: 1, arbitrary: remove },
);

/** The same with mostly moves and subscription changes. */
export const restlessStep = fc.oneof(
  { weight: 4, arbitrary: send },
  { weight: 6, arbitrary: subscribe },
  { weight: 3, arbitrary: unsubscribe },
  { weight: 2, arbitrary: mark },
  { weight: 1, arbitrary: readAll },
  { weight: 6, arbitrary: move },
  { weight: 3, arbitrary: edit },
);
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const word = fc.constantFrom('unread', 'starred', 'mentioned', 'dm');
const rawTerm = fc.oneof(
  { weight: 3, arbitrary: fc.record({ operator: fc.constant('channel' as const), index }) },
  fc.record({ operator: fc.constant('topic' as const), word: fc.constantFrom('', 'WEATHER', 'nothing') }),
  fc.record({ operator: fc.constant('dm' as const), others: fc.array(who, { minLength: 1, maxLength: 3 }) }),
  fc.record({ operator: fc.constant('dm-including' as const), who }),
  fc.record({ operator: fc.constant('sender' as const), who }),
  fc.record({ operator: fc.constant('id' as const), index }),
  { weight: 3, arbitrary: fc.record({ operator: fc.constant('is' as const), word }) },
);

/** A query for `GET /messages`, with names as in steps. */
export const question = fc
  .record({
    who,
    anchor: fc.oneof(fc.constantFrom('newest' as const, 'oldest' as const, 'first_unread' as const), index),
    num_before: fc.nat({ max: 6 }),
    num_after: fc.nat({ max: 6 }),
    include_anchor: fc.boolean(),
    terms: fc.array(fc.tuple(rawTerm, fc.boolean()), { maxLength: 3 }),
  })
  // A range always includes its anchor.
  .map((asked) => ({
    ...asked,
    include_anchor: asked.include_anchor || (asked.num_before > 0 && asked.num_after > 0),
  }));
export type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

/** Three users (the owner, a member, a guest) and one empty channel of each kind. */
export async function emptyModel(server: TestServer, run: number): Promise<MessageModel> {
  const member = await server.user({ name: `Mem ${run}` });
  const guest = await server.user({ name: `Guest ${run}`, role: Role.guest });
  const channels: ModelChannel[] = [];
  for (const kind of kinds) {
    const name = `${kind} ${run}`;
    const privacy = kind === 'public' ? {} : { invite_only: true, history_public_to_subscribers: kind === 'shared' };
    const id = await server.emptyChannel(server.owner, name, privacy);
    channels.push({ id, name, kind });
  }
  const clients = [server.owner, member, guest].map((client) => ({ client, isGuest: client === guest }));
  return new MessageModel(clients, channels);
}

/** Performs a step on the server and in the model. */
export async function take(server: TestServer, model: MessageModel, happening: Step): Promise<void> {
  const reader = model.reader(happening.who);
  switch (happening.does) {
    case 'send':
      return model.send(server, reader, model.channel(happening.channel), happening);
    case 'direct':
      return model.sendDirectly(
        reader,
        happening.others.map((other) => model.reader(other)),
        happening.mentionsAll,
        happening.read,
      );
    case 'subscribe':
      return model.subscribe(reader, model.channel(happening.channel));
    case 'unsubscribe':
      return model.unsubscribe(reader, model.channel(happening.channel));
    case 'mark':
      return model.mark(reader, happening.flag, happening.op, model.pick(happening.messages));
    case 'read all':
      return model.markAll(reader);
    case 'move':
      return model.move(server, model.pick(happening.messages), model.channel(happening.channel), happening.topic);
    case 'edit':
      for (const message of model.pick([happening.message])) await model.edit(message, happening.mention);
      return;
    case 'delete':
      return model.delete(model.pick(happening.messages));
  }
}

/**
 * The query with the names of its numbers. Undefined if the server refuses it: it names a channel without metadata access of its
 * reader, or asks for channel messages and for direct ones.
 */
export function queryOf(model: MessageModel, { who: asking, anchor, terms, ...rest }: Question) {
  const reader = model.reader(asking);
  const narrow = terms.flatMap(([raw, negated]): ModelTerm[] => {
    const { operator } = raw;
    const operand = operandOf(model, raw);
    return operand === undefined ? [] : [{ operator, operand, ...(negated && { negated }) }];
  });
  const hidden = model.channels.filter((channel) => !canAccess(model, asking, channel)).map(({ id }) => id);
  const asksHidden = narrow.some(
    ({ operator, operand }) => operator === 'channel' && hidden.includes(operand as number),
  );
  const messageId = typeof anchor === 'number' ? (model.pick([anchor])[0]?.id ?? 0) + (anchor % 3) - 1 : anchor;
  const isRefused = asksHidden || (narrow.some(asksForChannels) && narrow.some(asksForDirect));
  return isRefused ? undefined : { reader, query: { ...rest, anchor: messageId, narrow } };
}

const isDirectState = ({ operator, operand }: ModelTerm) => operator === 'is' && operand === 'dm';

function asksForChannels(term: ModelTerm): boolean {
  if (isDirectState(term)) return term.negated === true;
  return term.negated !== true && ['channel', 'topic'].includes(term.operator);
}

function asksForDirect(term: ModelTerm): boolean {
  return term.negated !== true && (isDirectState(term) || ['dm', 'dm-including'].includes(term.operator));
}

function operandOf(model: MessageModel, raw: Question['terms'][number][0]): ModelTerm['operand'] | undefined {
  switch (raw.operator) {
    case 'channel':
      return model.channel(raw.index).id;
    case 'topic':
    case 'is':
      return raw.word;
    case 'dm':
      return raw.others.map((other) => model.reader(other).id);
    case 'dm-including':
    case 'sender':
      return model.reader(raw.who).id;
    case 'id':
      return model.pick([raw.index])[0]?.id;
  }
}

function canAccess(model: MessageModel, asking: number, channel: ModelChannel): boolean {
  const reader = model.reader(asking);
  return reader.isSubscribed(channel) || (channel.kind === 'public' && !reader.isGuest);
}
