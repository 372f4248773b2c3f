/** Shows what the server pushes, and removes it when it was read elsewhere. One notification stands for one conversation. */
import type { WebPushPayload } from '@heddle/api/objects/web-push-payload.ts';
import { type AccountNote, readNote } from './account.ts';
import {
  actionsOf,
  type Conversation,
  dataOf,
  isSameConversation,
  type NotificationTexts,
  type PushedMessage,
  type ShowMessage,
  type ShownData,
  type ShownOptions,
} from './shown.ts';
import { appWindows } from './windows.ts';

declare const self: ServiceWorkerGlobalScope;

/** A payload names at most this many messages of a conversation. */
const MAX_COUNTED_MESSAGES = 50;

let earlier: Promise<unknown> = Promise.resolve();

/** Runs one piece of work after the other: a push that removes must not come before the one that shows. */
export function inTurn(work: () => Promise<void>): Promise<void> {
  const done = earlier.then(work);
  earlier = done.catch(() => undefined);
  return done;
}

/** Shows and removes what the payload says. Another account may be logged in by now: then nothing happens. */
export async function receive(payload: WebPushPayload): Promise<void> {
  const note = await readNote();
  if (payload.version !== 1 || note?.userId !== payload.user_id) return;
  // What is about to be replaced must not disappear before.
  const replaced = payload.kind === 'message' ? payload.tag : undefined;
  await remove(new Set(payload.removed_ids), note, replaced);
  if (payload.kind === 'message') await show(payload, note);
  await showBadge(payload.unread);
}

async function show(payload: PushedMessage, note: AccountNote): Promise<void> {
  const all = await self.registration.getNotifications();
  const isShown = all.some(({ tag }) => tag === payload.tag);
  const isInUse = (await appWindows()).some(({ visibilityState }) => visibilityState === 'visible');
  // The app before the eyes of the user notifies by the settings for the desktop.
  if (isInUse && !isShown) return;
  // A hidden tab may have notified of the same.
  const ofApp = thoseIn(payload.conversation, all).filter(({ shown }) => shown.tag !== payload.tag);
  const isKnown = ofApp.some(({ data }) => data.messageIds.includes(payload.message_id));
  const isSilent = payload.is_update || isInUse || isKnown;
  await self.registration.showNotification(titleOf(payload), optionsOf(payload, note, isSilent));
  for (const { shown } of ofApp) shown.close();
}

/** Shows what a page notifies of. The server may have been faster. */
export async function showForApp({ title, options }: ShowMessage): Promise<void> {
  const here = thoseIn(options.data.conversation, await self.registration.getNotifications());
  const before = here.flatMap(({ data }) => data.messageIds);
  if (before.includes(options.data.messageId)) return;
  const messageIds = [...new Set([...before, ...options.data.messageIds])].sort((a, b) => a - b);
  const tag = here[0]?.shown.tag ?? options.tag ?? '';
  await self.registration.showNotification(title, { ...options, tag, data: { ...options.data, messageIds } });
}

/** Those of messages in the conversation. */
function thoseIn(
  conversation: Conversation,
  all: readonly Notification[],
): readonly { readonly shown: Notification; readonly data: ShownData }[] {
  return all.flatMap((shown) => {
    const data = dataOf(shown);
    const isHere =
      data !== undefined && data.reply === undefined && isSameConversation(data.conversation, conversation);
    return isHere ? [{ shown, data }] : [];
  });
}

/**
 * Removes messages from the notifications. A notification without messages goes.
 * @param except the tag of a notification that stays as it is
 */
export async function remove(ids: ReadonlySet<number>, { texts }: AccountNote, except?: string): Promise<void> {
  if (ids.size === 0) return;
  for (const shown of await self.registration.getNotifications()) {
    const data = dataOf(shown);
    if (data === undefined || data.reply !== undefined || shown.tag === except) continue;
    const left = data.messageIds.filter((id) => !ids.has(id));
    const newest = left.at(-1);
    if (newest === undefined) shown.close();
    else if (left.length < data.messageIds.length) {
      // The text of a message that was deleted must not stay.
      const body = newest === data.messageId ? shown.body : fill(texts.hidden, { sender: shown.title });
      await showAgain(shown, { ...data, messageId: newest, messageIds: left }, texts, body);
    }
  }
}

/** Shows it as it was, or with another text, without a sound. */
export async function showAgain(
  shown: Notification,
  data: ShownData,
  texts: NotificationTexts,
  body = shown.body,
): Promise<void> {
  const { title, tag, icon } = shown;
  const { timestamp } = shown as Notification & Pick<ShownOptions, 'timestamp'>;
  const options: ShownOptions = {
    body,
    tag,
    silent: true,
    actions: actionsOf(data.conversation, texts),
    data,
    ...(icon !== '' && { icon }),
    ...(timestamp !== undefined && { timestamp }),
  };
  await self.registration.showNotification(title, options);
}

function titleOf({ title, message_ids: { length } }: PushedMessage): string {
  if (length < 2) return title;
  return `${title} (${length < MAX_COUNTED_MESSAGES ? length : `${MAX_COUNTED_MESSAGES}+`})`;
}

function optionsOf(payload: PushedMessage, note: AccountNote, isSilent: boolean): ShownOptions {
  const { tag, sender, sent_at, message_id, message_ids, conversation, user_id } = payload;
  return {
    body: bodyOf(payload, note.texts),
    tag,
    renotify: !isSilent,
    silent: isSilent,
    timestamp: sent_at * 1000,
    actions: actionsOf(conversation, note.texts),
    data: { userId: user_id, conversation, messageId: message_id, messageIds: message_ids },
    // The policy of the worker allows pictures of this server alone.
    ...(sender.avatar.startsWith('/') && { icon: sender.avatar }),
  };
}

/** The title names the sender only in a conversation of two. */
function bodyOf({ text, sender, title, mention }: PushedMessage, texts: NotificationTexts): string {
  if (text === null) return fill(mention === 'none' ? texts.hidden : texts.hiddenMention, { sender: sender.name });
  return title === sender.name ? text : fill(texts.from, { sender: sender.name, text });
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Null: it stays as it is. */
async function showBadge(unread: number | null): Promise<void> {
  if (unread === null || !('setAppBadge' in self.navigator)) return;
  // 0 removes it. A browser can refuse it for an app that is not installed.
  await self.navigator.setAppBadge(unread).catch(() => undefined);
}
