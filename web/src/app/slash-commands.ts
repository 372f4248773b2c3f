import { subscribe, updateOwnStatus } from '@heddle/client/calls/operations.ts';
import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import { type Place, topicPlace } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { openDialog } from '../actions/dialog-store.ts';
import type { App } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { formatDateTime } from '../base/i18n-formats.ts';
import { toasts } from '../base/toasts.ts';
import type { AppCommandName } from '../compose/commands/commands.ts';
import type { RunCommand } from '../compose/commands/runner.ts';
import { composeStore } from '../compose/compose-store.ts';
import type { LiveSession } from '../compose/drafts/live-sessions.ts';
import { openTool } from '../compose/tools/open-tool.ts';
import { openStatusDialog } from '../people/people-store.ts';
import { isQuiet, pauseUntil, resume, tomorrow } from '../people/quiet-commands.ts';
import { MAX_STATUS_LENGTH, statusParameters } from '../people/status-choices.ts';
import { setStatusEnd } from '../people/status-end.ts';
import { channelName, routeOfPlace } from '../shown/names.ts';
import { problemText } from '../shown/problem-text.ts';
import { refusalText } from '../shown/refusal-text.ts';

/** Returns why the command is not possible, as a sentence. */
type Run = (
  app: App,
  argument: string,
  place: Place | undefined,
  session: LiveSession,
) => Promise<string | undefined> | string | undefined;

const RUNS: Readonly<Record<AppCommandName, Run>> = { remind, status, dnd, invite, topic, gif };

export const runSlashCommand: RunCommand = async (app, { name, argument }, place, session) => {
  try {
    return await RUNS[name](app, argument, place, session);
  } catch (error) {
    return problemText(error);
  }
};

/** Reminders are about messages: this one about the newest message of the conversation. */
async function remind({ model }: App, note: string, place: Place | undefined): Promise<string | undefined> {
  const newest = place && (await newestOf(model, place));
  if (newest === undefined) return t('There is no message here of which you could be reminded.');
  openDialog({ kind: 'remind', messageId: newest.id, record: newest, note });
  return undefined;
}

/** The view can be elsewhere, or among older messages. Then only the server knows the newest one. */
async function newestOf({ cache, ownId }: Model, place: Place): Promise<MessageRecord | undefined> {
  const narrow = narrowOfPlace(place, ownId);
  const { ids, state, foundNewest, isStale } = cache.windows.of(narrow);
  const [newest] = ids.slice(-1).flatMap((id) => cache.messages.get(id) ?? []);
  if (state === 'ready' && foundNewest && !isStale && newest !== undefined) return newest;
  return (await cache.newestMatches(narrow, 1)).at(-1);
}

async function status({ connection, model }: App, text: string): Promise<string | undefined> {
  if (text === '') {
    openStatusDialog();
    return undefined;
  }
  if ([...text].length > MAX_STATUS_LENGTH) {
    return t('A status has at most {count} characters.', { count: MAX_STATUS_LENGTH });
  }
  const own = { text, emoji: null };
  await updateOwnStatus(connection, statusParameters(own));
  setStatusEnd(model.ownId, own, undefined);
  toasts.show({ text: t('Your status is now “{status}”.', { status: text }), key: 'status' });
  return undefined;
}

const DURATION = /^(\d{1,3}) ?(m|min|minutes?|minuten?|h|hours?|stunden?)?$/i;
const MINUTE_MS = 60_000;
const MINUTES_PER_HOUR = 60;

/** Pauses notifications, until tomorrow if no time is given, and the status says so. Without a time, it also takes both back. */
async function dnd(app: App, argument: string): Promise<string | undefined> {
  const { connection, model } = app;
  const text = t('Do not disturb');
  const [, amount, unit = 'm'] = DURATION.exec(argument) ?? [];
  if (argument !== '' && (amount === undefined || Number(amount) === 0)) {
    return t('Write a time in minutes or hours, for example /dnd 30m or /dnd 2h.');
  }
  if (argument === '' && (await isQuiet(app))) {
    await resume(app);
    if (model.statuses.of(model.ownId)?.text === text) {
      await updateOwnStatus(connection, statusParameters({ text: '', emoji: null }));
    }
    toasts.show({ text: t('You are notified again.'), key: 'status' });
    return undefined;
  }
  const isHours = /^[hs]/i.test(unit);
  const minutes = Number(amount ?? 0) * (isHours ? MINUTES_PER_HOUR : 1);
  const end = argument === '' ? tomorrow(new Date()) : new Date(Date.now() + minutes * MINUTE_MS);
  await pauseUntil(app, end);
  const own = { text, emoji: { name: 'mute_notifications', code: '1f515', type: 'unicode_emoji' } } as const;
  await updateOwnStatus(connection, statusParameters(own));
  setStatusEnd(model.ownId, own, end);
  toasts.show({ text: t('Notifications are paused until {time}.', { time: formatDateTime(end) }), key: 'status' });
  return undefined;
}

const MENTION = /@_?\*\*([^*|]+)(?:\|(\d+))?\*\*/g;

/** Adds mentioned people to the channel. Without mentions, it goes where people are added or invited. */
async function invite(app: App, argument: string, place: Place | undefined): Promise<string | undefined> {
  const { model, connection, navigation } = app;
  const channel = place?.kind === 'topic' ? model.channels.get(place.channelId) : undefined;
  if (argument === '') {
    navigation.go(
      channel === undefined ? { view: 'invite' } : { view: 'channel', channelId: channel.id, tab: 'subscribers' },
    );
    return undefined;
  }
  if (channel === undefined) return t('People can only be added to a channel. Use it there.');
  const refusal = model.permissions.channels.addSubscribers(channel);
  if (!refusal.allowed) return refusalText(refusal);
  const people = [...argument.matchAll(MENTION)].map(([, name = '', id]) => {
    return id === undefined ? onlyActive(model, name) : model.users.get(Number(id))?.id;
  });
  const ids = people.filter((id) => id !== undefined);
  const rest = argument.replaceAll(MENTION, '').trim();
  if (ids.length === 0 || ids.length < people.length || rest !== '') {
    return t('Mention the people that you want to add, for example /invite @Ada.');
  }
  await subscribe(connection, { subscriptions: [{ name: channel.name }], principals: ids });
  const text = t('{count, plural, one {# person is} other {# people are}} now in {channel}.', {
    count: new Set(ids).size,
    channel: channelName(model, channel.id),
  });
  toasts.show({ text, key: 'command' });
  return undefined;
}

/** A name without an id can be that of several people. */
function onlyActive({ users }: Model, name: string): number | undefined {
  const [only, another] = users.byName(name).filter(({ isActive }) => isActive);
  return another === undefined ? only?.id : undefined;
}

function topic({ model, navigation }: App, name: string, place: Place | undefined): string | undefined {
  if (place?.kind !== 'topic') return t('Only channels have topics. Use it there.');
  if (name === '') return t('Write the topic behind the command, for example /topic release.');
  const next = topicPlace(place.channelId, name);
  navigation.go(routeOfPlace(model, next));
  composeStore.focus();
  return undefined;
}

/** The chosen GIF goes into the box, so that the user can add a text. */
function gif({ model }: App, query: string, _: Place | undefined, session: LiveSession): string | undefined {
  if (!model.organization.settings.gif_picker) {
    return t('Your organization has no service for GIFs. Administrators can choose one in the settings.');
  }
  openTool(session, { kind: 'gif', query });
  return undefined;
}
