import type { Narrow } from '@heddle/client/model/messages/narrow.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { type Message, msg } from '../base/i18n.ts';
import { textOfTerm } from '../search/query.ts';
import { CONTENTS, STATES } from '../search/term-texts.ts';
import { userName } from '../shown/names.ts';

/** A search that the reader can try. */
export interface SearchExample {
  /** What one types. */
  readonly text: string;
  readonly narrow: Narrow;
  readonly explanation: Message;
}

export interface SearchExamples {
  readonly title: Message;
  readonly examples: readonly SearchExample[];
}

/** Examples for each operator, with names of this organization. */
export function searchExamples(model: Model): readonly SearchExamples[] {
  return [
    { title: msg('Conversations'), examples: conversations(model) },
    { title: msg('People'), examples: people(model) },
    { title: msg('State of messages'), examples: Object.entries(STATES).map(([name, text]) => one('is', name, text)) },
    { title: msg('Content'), examples: Object.entries(CONTENTS).map(([name, text]) => one('has', name, text)) },
    {
      title: msg('Place and time'),
      examples: [
        one('near', '2026-03-05', msg('messages around a date')),
        one('channels', 'public', msg('all public channels, also those that you did not join')),
        one('in', 'home', msg('conversations that are not muted')),
      ],
    },
    { title: msg('Words and combinations'), examples: combinations(model) },
  ];
}

function one(operator: string, operand: string, explanation: Message, negated = false): SearchExample {
  const term = { operator, operand, ...(negated && { negated }) };
  return { text: textOfTerm(term, operand), narrow: [term], explanation };
}

function conversations(model: Model): readonly SearchExample[] {
  const [channelId] = model.channels.subscribedIds;
  const channel = channelId === undefined ? undefined : model.channels.get(channelId);
  if (channel === undefined) return [];
  const term = { operator: 'channel', operand: channel.id };
  const text = textOfTerm(term, channel.name);
  const recent = model.cache.recent.list().find(({ place }) => place.kind === 'topic' && place.channelId === channelId);
  const topic = recent?.place.kind === 'topic' ? recent.place.topic : undefined;
  const example = { text, narrow: [term], explanation: msg('messages in a channel') };
  if (topic === undefined || topic === '') return [example];
  const topicTerm = { operator: 'topic', operand: topic };
  return [
    example,
    {
      text: `${text} ${textOfTerm(topicTerm, topic)}`,
      narrow: [term, topicTerm],
      explanation: msg('messages in a topic'),
    },
  ];
}

function people(model: Model): readonly SearchExample[] {
  const { ownId } = model;
  const name = userName(model, ownId);
  const direct = { operator: 'dm', operand: [ownId] };
  const including = { operator: 'dm-including', operand: [ownId] };
  return [
    one('sender', 'me', msg('your own messages')),
    {
      text: textOfTerm({ operator: 'sender', operand: ownId }, name),
      narrow: [{ operator: 'sender', operand: ownId }],
      explanation: msg('messages of a person'),
    },
    { text: textOfTerm(direct, name), narrow: [direct], explanation: msg('a direct conversation') },
    {
      text: textOfTerm(including, name),
      narrow: [including],
      explanation: msg('all direct messages with a person'),
    },
  ];
}

function combinations(model: Model): readonly SearchExample[] {
  const words = { operator: 'search', operand: 'lunch' };
  const phrase = { operator: 'search', operand: '"good morning"' };
  const [channelId] = model.channels.subscribedIds;
  const channel = channelId === undefined ? undefined : model.channels.get(channelId);
  return [
    { text: 'lunch', narrow: [words], explanation: msg('messages with a word, in all its forms') },
    { text: '"good morning"', narrow: [phrase], explanation: msg('messages with exactly these words') },
    one('is', 'resolved', msg('a minus sign excludes: topics that are not resolved'), true),
    ...(channel === undefined
      ? []
      : [
          {
            text: `${textOfTerm({ operator: 'channel', operand: channel.id }, channel.name)} has:link lunch`,
            narrow: [{ operator: 'channel', operand: channel.id }, { operator: 'has', operand: 'link' }, words],
            explanation: msg('all conditions must be true'),
          },
        ]),
  ];
}
