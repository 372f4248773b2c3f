/** What a press on a notification does. */
import { hashOfNarrow } from '@heddle/client/model/messages/narrow-hash.ts';
import { type AccountNote, keepUntilSent, readNote, takeReply } from './account.ts';
import { inTurn, remove, showAgain } from './notifications.ts';
import { type Conversation, dataOf, narrowOf, type OpenMessage, type ShownData, type ShownOptions } from './shown.ts';
import { START_PATH } from './start-page.ts';
import { appWindows, responseOf } from './windows.ts';
import { write } from './writing.ts';

declare const self: ServiceWorkerGlobalScope;

/** Some systems have a field for replies in the notification. */
interface Press extends NotificationEvent {
  readonly reply?: string | null;
}

/** "Mark as read" and "Reply" work without the app. Everything else opens the message, and so does a button of another account. */
export async function press({ action, notification, reply }: Press): Promise<void> {
  const data = dataOf(notification);
  notification.close();
  if (data === undefined) return;
  const note = await readNote();
  const own = note?.userId === data.userId ? note : undefined;
  const text = reply?.trim() ?? '';
  if (own !== undefined && action === 'read') await readThem(own, notification, data);
  else if (own !== undefined && action === 'reply' && text !== '') await send(own, notification.tag, data, text);
  else if (own !== undefined && action === 'again') await sendAgain(own, notification.tag, data);
  else await open(data, action === 'reply' || data.reply !== undefined);
}

async function readThem(note: AccountNote, shown: Notification, data: ShownData): Promise<void> {
  const isRead = await markRead(note, data);
  await inTurn(async () => {
    if (isRead) await remove(new Set(data.messageIds), note);
    // A newer message of the conversation may have come meanwhile.
    else if ((await self.registration.getNotifications({ tag: shown.tag })).length === 0) {
      await showAgain(shown, data, note.texts);
    }
  });
}

function markRead(note: AccountNote, { messageIds }: ShownData): Promise<boolean> {
  return write(note, '/messages/flags', { op: 'add', flag: 'read', messages: JSON.stringify(messageIds) });
}

async function send(note: AccountNote, tag: string, data: ShownData, text: string): Promise<void> {
  const { conversation, userId } = data;
  const unsent = await keepUntilSent({ userId, conversation, text }, () =>
    write(note, '/messages', { ...recipientOf(conversation), content: text }),
  );
  if (unsent !== undefined) {
    await tellUnsent(note, tag, { ...data, reply: unsent }, text);
    return;
  }
  // Who replies has read it.
  await markRead(note, data);
  await inTurn(() => remove(new Set(data.messageIds), note));
}

async function sendAgain(note: AccountNote, tag: string, data: ShownData): Promise<void> {
  // The app may have made a draft of it meanwhile.
  const kept = data.reply === undefined ? undefined : await takeReply(data.reply, note.userId);
  if (kept === undefined) await open(data, true);
  else await send(note, tag, data, kept.text);
}

/** A notification that stays, with the text. The app has it as a draft when it is opened. */
async function tellUnsent(note: AccountNote, tag: string, data: ShownData, text: string): Promise<void> {
  const options: ShownOptions = {
    body: text,
    tag: `${tag.replace(/ reply$/, '')} reply`,
    renotify: true,
    requireInteraction: true,
    actions: [{ action: 'again', title: note.texts.again }],
    data,
  };
  await self.registration.showNotification(note.texts.notSent, options);
}

function recipientOf(conversation: Conversation): Readonly<Record<string, string>> {
  return conversation.kind === 'channel'
    ? { type: 'channel', to: String(conversation.channel_id), topic: conversation.topic }
    : { type: 'direct', to: JSON.stringify(conversation.user_ids) };
}

/** Opens the message in a window of the app, or in a new one. */
async function open(data: ShownData, isReply: boolean): Promise<void> {
  const address = START_PATH + hashOf(data);
  const [app] = await appWindows();
  if (app === undefined) {
    await self.clients.openWindow(address);
    return;
  }
  const shown = await app.focus().catch(() => app);
  const message: OpenMessage = { kind: 'open-notification', data, isReply };
  if ((await responseOf(shown, message)) !== undefined) return;
  // The worker cannot lead a page that was loaded without it.
  const isLed = await shown.navigate(address).then(
    () => true,
    () => false,
  );
  if (!isLed) await self.clients.openWindow(address);
}

function hashOf(data: ShownData): string {
  const { conversation } = data;
  const channelName = () => (conversation.kind === 'channel' ? conversation.channel_name : undefined);
  return hashOfNarrow(narrowOf(data), { channelName, userName: () => undefined });
}
