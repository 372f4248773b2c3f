import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import type { Place } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { t } from '../../base/i18n.ts';
import { COMMANDS } from '../commands/commands.ts';
import { channelsMatching, topicsByName, topicsMatching } from '../target/place-search.ts';
import { channelMarkdown, topicMarkdown } from '../text/conversation-links.ts';
import { emojiSuggestions } from './emoji.ts';
import { languageSuggestions } from './languages.ts';
import { mentionSuggestions } from './mentions.ts';
import type { Suggestion } from './suggestion.ts';
import type { Trigger } from './trigger.ts';

const MAX_SUGGESTIONS = 8;
/** Room for topics, if there are many channels with the same name. */
const MIN_TOPICS_BEHIND_CHANNELS = 3;

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
      return channelSuggestions(model, place, trigger.query);
    case 'topic':
      return topicSuggestions(channelOfTrigger({ model, place }, trigger), model, trigger);
    case 'emoji':
      return emojiSuggestions(model, trigger.query);
    case 'language':
      return languageSuggestions(trigger);
    case 'command':
      return commandSuggestions(model, trigger.query);
  }
}

/** The channel whose topics the trigger wants, or first. */
export function channelOfTrigger({ model, place }: SuggestionContext, trigger: Trigger): ChannelRecord | undefined {
  const { channels } = model;
  if (trigger.channelName !== undefined) return channels.byName(trigger.channelName);
  return place?.kind === 'topic' ? channels.get(place.channelId) : undefined;
}

/** Channels, and then topics of all channels. */
function channelSuggestions(model: Model, place: Place | undefined, query: string): Suggestion[] {
  const topics = query.trim() === '' ? [] : topicsByName(model, place, query, MAX_SUGGESTIONS);
  const limit = MAX_SUGGESTIONS - Math.min(topics.length, MIN_TOPICS_BEHIND_CHANNELS);
  const channels = channelsMatching(model, query, limit).map((channel): Suggestion => {
    const { id, name, isPrivate, description } = channel;
    return {
      key: `channel ${id}`,
      label: name,
      ...(description !== '' && { detail: description }),
      icon: { kind: isPrivate ? 'private-channel' : 'channel' },
      insert: `${channelMarkdown(channel)} `,
    };
  });
  const found = topics.flatMap(({ channelId, topic }) => {
    const channel = model.channels.get(channelId);
    return channel === undefined ? [] : [{ ...topicSuggestion(channel, topic), detail: `#${channel.name}` }];
  });
  return [...channels, ...found].slice(0, MAX_SUGGESTIONS);
}

function topicSuggestions(channel: ChannelRecord | undefined, model: Model, { query }: Trigger): Suggestion[] {
  if (channel === undefined) return [];
  const topics = topicsMatching(model, channel.id, query, MAX_SUGGESTIONS);
  const isNew = query.trim() !== '' && !topics.some((topic) => topic.toLowerCase() === query.trim().toLowerCase());
  const found = topics.map((topic) => topicSuggestion(channel, topic));
  const written = { ...topicSuggestion(channel, query.trim()), key: 'new topic', detail: t('New topic') };
  return isNew ? [...found.slice(0, MAX_SUGGESTIONS - 1), written] : found;
}

function topicSuggestion(channel: ChannelRecord, topic: string): Suggestion {
  return {
    key: `topic ${channel.id} ${topic}`,
    label: topic,
    icon: { kind: 'topic' },
    insert: `${topicMarkdown(channel, topic)} `,
  };
}

function commandSuggestions({ organization }: Model, query: string): Suggestion[] {
  const isOffered = (name: string) => name !== 'gif' || Boolean(organization.settings.gif_picker);
  return COMMANDS.filter(([name]) => name.startsWith(query) && isOffered(name)).map(([name, description]) => ({
    key: `command ${name}`,
    label: `/${name}`,
    detail: t(description),
    icon: { kind: 'command' },
    insert: `/${name} `,
  }));
}
