import { quietUntil } from '@heddle/api/quiet-time.ts';
import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import { keyOf } from '@heddle/client/model/messages/places.ts';
import type { App } from '../base/app.tsx';
import { pictureOf } from '../shown/picture.ts';
import { type Decision, decide, type NotifiedPlace } from './decide.ts';
import { notificationPermission } from './permission.ts';
import { pushDevice } from './push-device.ts';
import { playSound } from './sounds.ts';
import { notificationText } from './text.ts';
import { showByWorker } from './worker-notices.ts';

/** A message has this long to appear on a screen or to be read, in any tab, before it notifies. In milliseconds. */
const PATIENCE_MS = 400;

/** A message that waits longer, for example while the computer slept, still notifies, but only so many. */
const MAX_OPEN_NOTIFICATIONS = 20;

interface SeenNote {
  readonly kind: 'seen';
  readonly id: number;
}

/**
 * Notifies of messages. Every tab looks whether its user sees the message and tells the others; only the tab that polls
 * shows notifications. A notification closes when its message is read or deleted elsewhere.
 */
export class Notifier {
  readonly #app: App;
  readonly #open = new Map<number, { close: () => void }>();
  readonly #waiting = new Map<number, ReturnType<typeof setTimeout>>();
  readonly #ends: (() => void)[] = [];

  constructor(app: App) {
    this.#app = app;
  }

  /** @param early messages that have arrived before */
  start(early: readonly MessageRecord[]): void {
    this.#ends.push(this.#app.onMessage((message) => this.#receive(message)));
    const end = this.#app.tabs?.onMessage((note) => {
      if (isSeenNote(note)) this.#cancel(note.id);
    });
    if (end !== undefined) this.#ends.push(end);
    for (const message of early) this.#receive(message);
  }

  stop(): void {
    for (const end of this.#ends) end();
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
  }

  #receive(message: MessageRecord): void {
    const decision = this.#decide(message);
    if (!decision.desktop && !decision.sound) return;
    const timer = setTimeout(() => {
      this.#waiting.delete(message.id);
      this.#notify(message, decision);
    }, PATIENCE_MS);
    this.#waiting.set(message.id, timer);
    // The row exists after the next frame. A hidden page has no frames, and nobody sees it.
    if (document.hasFocus()) setTimeout(() => this.#look(message.id), PATIENCE_MS / 2);
  }

  #decide(message: MessageRecord): Decision {
    const { model } = this.#app;
    return decide(message, {
      ownId: model.ownId,
      settings: model.account.settings,
      place: this.#placeOf(message),
      isSenderMuted: model.mutedUsers.has(message.senderId),
      isQuiet: this.#isQuietFor(message),
    });
  }

  #isQuietFor({ place }: MessageRecord): boolean {
    const { quietHours, settings } = this.#app.model.account;
    if (quietHours === undefined || (place.kind === 'direct' && quietHours.except_direct_messages)) return false;
    return quietUntil(quietHours, settings.timezone, Date.now()) !== null;
  }

  #placeOf({ place }: MessageRecord): NotifiedPlace {
    if (place.kind === 'direct') return { kind: 'direct' };
    const { channels, topicPolicies } = this.#app.model;
    const channel = channels.get(place.channelId);
    return {
      kind: 'topic',
      policy: topicPolicies.policyOf(place.channelId, place.topic),
      channel: channel?.isSubscribed ? channel.settings : null,
    };
  }

  /** Cancels the notification in all tabs if the message is visible in this one. */
  #look(id: number): void {
    if (!this.#waiting.has(id) || !isVisible(id)) return;
    this.#cancel(id);
    this.#app.tabs?.send({ kind: 'seen', id } satisfies SeenNote);
  }

  #cancel(id: number): void {
    clearTimeout(this.#waiting.get(id));
    this.#waiting.delete(id);
  }

  #notify(message: MessageRecord, { desktop, sound }: Decision): void {
    const { model, session } = this.#app;
    if (!model.unread.has(message.id) || !session.isLeader) return;
    // A message that a list holds can have been edited meanwhile.
    const record = model.cache.messages.get(message.id) ?? message;
    if (sound) playSound(model.account.settings.notification_sound);
    if (!desktop) return;
    if (notificationPermission.isGranted) {
      this.#show(record);
      return;
    }
    const sender = model.users.get(record.senderId);
    // A person is the better reason to ask for the permission than a notice of the server.
    if (sender?.isSystemBot !== true) notificationPermission.missed(model.ownId, sender?.name ?? record.senderName);
  }

  #show(record: MessageRecord): void {
    // The server may push the same message, and only the worker knows what it has shown.
    if (pushDevice.isOn || !this.#showInPage(record)) showByWorker(this.#app.model, record).catch(() => undefined);
  }

  /** Returns false where pages cannot show notifications: browsers of phones allow them only to service workers. */
  #showInPage(record: MessageRecord): boolean {
    const { model } = this.#app;
    const { title, body } = notificationText(model, record);
    const icon = pictureOf(model.users.get(record.senderId));
    // One notification per conversation: the newest message replaces the one before.
    const options = { body, tag: `heddle-${keyOf(record.place)}`, renotify: true, silent: true, ...(icon && { icon }) };
    let shown: Notification;
    try {
      shown = new Notification(title, options);
    } catch {
      return false;
    }
    const end = model.unread.changes.subscribe(() => {
      if (!model.unread.has(record.id)) this.#close(record.id);
    });
    shown.onclick = () => {
      window.focus();
      this.#openMessage(record);
      this.#close(record.id);
    };
    shown.onclose = () => {
      end();
      this.#open.delete(record.id);
    };
    this.#open.set(record.id, {
      close: () => {
        end();
        shown.close();
      },
    });
    const [oldest] = this.#open.keys();
    if (this.#open.size > MAX_OPEN_NOTIFICATIONS && oldest !== undefined) this.#close(oldest);
    return true;
  }

  /** Shows the message where it is now. */
  #openMessage(shown: MessageRecord): void {
    const { model, navigation } = this.#app;
    const { id, place } = model.cache.messages.get(shown.id) ?? shown;
    const narrow = [...narrowOfPlace(place, model.ownId), { operator: 'near', operand: id } as const];
    navigation.go({ view: 'narrow', narrow });
  }

  #close(id: number): void {
    const shown = this.#open.get(id);
    this.#open.delete(id);
    shown?.close();
  }
}

/** Whether the user sees the message in this window. */
function isVisible(id: number): boolean {
  if (!document.hasFocus() || document.visibilityState !== 'visible') return false;
  const row = document.querySelector(`[data-message-id="${id}"]`);
  if (row === null || !row.checkVisibility()) return false;
  const { top, bottom } = row.getBoundingClientRect();
  const area = row.closest('[data-feed-scroller]')?.getBoundingClientRect();
  return area !== undefined && bottom > area.top && top < area.bottom;
}

function isSeenNote(note: unknown): note is SeenNote {
  return typeof note === 'object' && note !== null && 'kind' in note && note.kind === 'seen' && 'id' in note;
}
