import type { Place } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { t } from '../../base/i18n.ts';
import { COMMANDS } from '../commands/commands.ts';
import { channelsMatching, topicsMatching } from '../target/place-search.ts';
import { emojiSuggestions } from './emoji.ts';
import { languageSuggestions } from './languages.ts';
import { mentionSuggestions } from './mentions.ts';
import type { Suggestion } from './suggestion.ts';
import type { Trigger } from './trigger.ts';

const MAX_SUGGESTIONS = 8;

/** Where the message goes, and what the client knows. */
export interface SuggestionContext {
  readonly model: Model;
  readonly place: Place | undefined;
}

/** The suggestions for what the user types, the best one first. */
export function suggestionsFor({ model, place }: SuggestionContext, trigger: Trigger): readonly Suggestion[] {
  switch (trigger.kind) {
    case 'mention':
      return mentionSuggestions(model, place, trigger);
    case 'channel':
      return channelSuggestions(model, trigger.query);
    case 'topic':
      return topicSuggestions(model, trigger);
    case 'emoji':
      return emojiSuggestions(model, trigger.query);
    case 'language':
      return languageSuggestions(trigger);
    case 'command':
      return commandSuggestions(trigger.query);
  }
}

function channelSuggestions(model: Model, query: string): Suggestion[] {
  return channelsMatching(model, query, MAX_SUGGESTIONS).map(({ id, name, isPrivate, description }) => ({
    key: `channel ${id}`,
    label: name,
    ...(description !== '' && { detail: description }),
    icon: { kind: isPrivate ? 'private-channel' : 'channel' },
    insert: `#**${name}** `,
  }));
}

function topicSuggestions(model: Model, { channelName = '', query }: Trigger): Suggestion[] {
  const channel = model.channels.byName(channelName);
  if (channel === undefined) return [];
  const topics = topicsMatching(model, channel.id, query, MAX_SUGGESTIONS);
  const isNew = query.trim() !== '' && !topics.some((topic) => topic.toLowerCase() === query.trim().toLowerCase());
  const found = topics.map((topic) => topicSuggestion(channel.name, topic));
  const written = { ...topicSuggestion(channel.name, query.trim()), key: 'new topic', detail: t('New topic') };
  return isNew ? [...found.slice(0, MAX_SUGGESTIONS - 1), written] : found;
}

function topicSuggestion(channel: string, topic: string): Suggestion {
  return { key: `topic ${topic}`, label: topic, icon: { kind: 'topic' }, insert: `#**${channel}>${topic}** ` };
}

function commandSuggestions(query: string): Suggestion[] {
  return COMMANDS.filter(([name]) => name.startsWith(query)).map(([name, description]) => ({
    key: `command ${name}`,
    label: `/${name}`,
    detail: t(description),
    icon: { kind: 'command' },
    insert: `/${name} `,
  }));
}
