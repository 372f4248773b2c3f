import { placeOfNarrow } from '@heddle/client/model/messages/narrow.ts';
import { isSamePlace, type Place } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { folded } from '@heddle/client/model/people/text-folding.ts';
import type { UserRecord } from '@heddle/client/model/people/user-record.ts';
import { t } from '../../base/i18n.ts';
import { matchOfName, recentCorrespondents } from '../target/place-search.ts';
import type { Suggestion } from './suggestion.ts';
import type { Trigger } from './trigger.ts';

const MAX_SUGGESTIONS = 8;
const MAX_GROUPS = 4;

/** How much each reason counts. Recent correspondents add less than 1. */
const RELEVANCE = { participant: 4, subscriber: 2 } as const;

/** How many of the newest loaded messages of the conversation are read for their writers. */
const MAX_READ_MESSAGES = 500;

/** People, groups and wildcards to mention in a message to this place. */
export function mentionSuggestions(model: Model, place: Place | undefined, trigger: Trigger): Suggestion[] {
  const { query, isSilent = false } = trigger;
  const people = peopleToMention(model, place, query).map((user) => ofUser(model, user, isSilent));
  const wildcards = isSilent ? [] : wildcardSuggestions(place, query);
  const groups = groupSuggestions(model, query, isSilent);
  // With an exact beginning, wildcards are what the user means: `@all`. Otherwise people come first.
  const isWildcardFirst = query.length >= 2 && wildcards.length > 0;
  const found = isWildcardFirst ? [...wildcards, ...people, ...groups] : [...people, ...wildcards, ...groups];
  return [...found.slice(0, MAX_SUGGESTIONS - Math.min(groups.length, 2)), ...groups]
    .filter((one, index, all) => all.findIndex(({ key }) => key === one.key) === index)
    .slice(0, MAX_SUGGESTIONS);
}

/**
 * With a query: those whose names begin with it, then others. Both in the order: writers of the conversation, subscribers of
 * the channel, recent correspondents, everyone. Without a query: the writers, newest first, then the next two groups.
 */
export function peopleToMention(model: Model, place: Place | undefined, query: string): readonly UserRecord[] {
  const relevance = relevanceIn(model, place);
  const accepts = ({ isActive }: UserRecord): boolean => isActive;
  if (query.trim() !== '') return model.users.search(query, { limit: MAX_SUGGESTIONS, relevance, accepts });
  // Without a query everyone matches. So only the relevant people are looked at.
  const ids = new Set([...participantsOf(model, place), ...recentCorrespondents(model).keys()]);
  if (place?.kind === 'topic') {
    for (const id of model.channels.subscribersOf(place.channelId).ids) {
      if (ids.size >= 5 * MAX_SUGGESTIONS) break;
      ids.add(id);
    }
  }
  const users = [...ids].flatMap((id) => (id === model.ownId ? [] : (model.users.get(id) ?? []))).filter(accepts);
  const rank = ({ id }: UserRecord) => {
    const value = relevance(id);
    // The sort is stable, so the writers stay in their order.
    return value >= RELEVANCE.participant ? RELEVANCE.participant : value;
  };
  return users.sort((a, b) => Number(a.isBot) - Number(b.isBot) || rank(b) - rank(a)).slice(0, MAX_SUGGESTIONS);
}

function relevanceIn(model: Model, place: Place | undefined): (userId: number) => number {
  const participants = new Set(participantsOf(model, place));
  const subscribers = place?.kind === 'topic' ? model.channels.subscribersOf(place.channelId).ids : NOBODY;
  const recent = recentCorrespondents(model);
  return (id) =>
    (participants.has(id) ? RELEVANCE.participant : 0) +
    (subscribers.has(id) ? RELEVANCE.subscriber : 0) +
    (recent.get(id) ?? 0);
}

const NOBODY: ReadonlySet<number> = new Set();

/** Those who wrote here, newest first, or the people of a direct conversation. */
export function participantsOf(model: Model, place: Place | undefined): readonly number[] {
  if (place === undefined) return [];
  if (place.kind === 'direct') return place.userIds;
  return [...new Set([...(model.cache.recent.of(place)?.senderIds ?? []), ...writersInWindow(model, place)])];
}

/** Those who wrote the messages that the app has loaded of this conversation. It can be older than the recent ones. */
function writersInWindow({ cache, ownId }: Model, place: Place): readonly number[] {
  for (const { narrow, ids } of cache.windows.loaded()) {
    const shown = placeOfNarrow(narrow, ownId);
    if (shown === undefined || !isSamePlace(shown, place)) continue;
    const newest = ids.slice(-MAX_READ_MESSAGES).reverse();
    return newest.flatMap((id) => cache.messages.get(id)?.senderId ?? []);
  }
  return [];
}

function ofUser(model: Model, user: UserRecord, isSilent: boolean): Suggestion {
  const isAmbiguous = model.users.byName(user.name).length > 1 || WILDCARD_NAMES.has(user.name);
  const name = isAmbiguous ? `${user.name}|${user.id}` : user.name;
  return {
    key: `user ${user.id}`,
    label: user.name,
    ...detailOf(user),
    icon: { kind: 'user', userId: user.id },
    insert: `@${isSilent ? '_' : ''}**${name}** `,
  };
}

function detailOf({ isBot, deliveryEmail }: UserRecord): { readonly detail?: string } {
  if (isBot) return { detail: t('Bot') };
  return deliveryEmail === null ? {} : { detail: deliveryEmail };
}

const WILDCARD_NAMES: ReadonlySet<string> = new Set(['all', 'everyone', 'channel', 'stream', 'topic']);

function wildcardSuggestions(place: Place | undefined, query: string): Suggestion[] {
  const isDirect = place?.kind === 'direct';
  const everyone = isDirect ? t('Everyone in this conversation') : t('All subscribers of this channel');
  const wildcards = [
    { name: 'all', detail: everyone },
    ...(isDirect ? [] : [{ name: 'topic', detail: t('Everyone who wrote in this topic') }]),
    { name: 'everyone', detail: everyone },
    ...(isDirect ? [] : [{ name: 'channel', detail: everyone }]),
  ];
  const wanted = folded(query);
  return wildcards
    .filter(({ name }) => name.startsWith(wanted))
    .slice(0, wanted === '' ? 2 : 3)
    .map(({ name, detail }) => ({
      key: `wildcard ${name}`,
      label: name,
      detail,
      icon: { kind: 'wildcard' },
      insert: `@**${name}** `,
    }));
}

/** Only groups that the user may mention. A silent mention notifies nobody, so all may be mentioned. */
function groupSuggestions(model: Model, query: string, isSilent: boolean): Suggestion[] {
  const wanted = folded(query).trim();
  if (wanted === '') return [];
  return model.groups.all
    .flatMap((group) => {
      if (group.isDeactivated || group.isSystem) return [];
      const match = matchOfName(group.name, wanted);
      if (match === undefined || match > 2) return [];
      const mayMention = isSilent || model.groups.includes(group.permissions.can_mention_group, model.ownId);
      return mayMention ? [{ group, match }] : [];
    })
    .sort((a, b) => a.match - b.match || (a.group.name < b.group.name ? -1 : 1))
    .slice(0, MAX_GROUPS)
    .map(({ group }) => ({
      key: `group ${group.id}`,
      label: group.name,
      detail: group.description || t('Group'),
      icon: { kind: 'group' },
      insert: `@${isSilent ? '_' : ''}*${group.name}* `,
    }));
}
