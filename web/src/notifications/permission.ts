import { Subject } from '@heddle/client/model/changes.ts';
import { accountKey } from '../base/account-storage.ts';
import { isApple, isAppleApp } from './apple.ts';

/** Asks again after this long, if the user said "not now", in milliseconds. */
const ASK_AGAIN_MS = 30 * 24 * 60 * 60_000;

/**
 * Whether the browser may notify. The app asks when the first message arrives of which it would have notified, because
 * then the reason is clear.
 */
class NotificationPermission {
  readonly changes = new Subject();
  /** The name of who wrote a message of which the user was not notified. */
  missedFrom: string | undefined;

  get isGranted(): boolean {
    return typeof Notification !== 'undefined' && Notification.permission === 'granted';
  }

  /** Whether the browser would ask the user, and can notify after a yes. On Android only the service worker can. */
  get canAsk(): boolean {
    const hasWorkers = (navigator.serviceWorker as ServiceWorkerContainer | undefined) !== undefined;
    const canNotify = typeof Notification !== 'undefined' && (hasWorkers || !/Android/.test(navigator.userAgent));
    return canNotify && Notification.permission === 'default';
  }

  /** Whether this browser can notify, but only from the installed app. */
  get needsInstall(): boolean {
    return typeof Notification === 'undefined' && isApple() && !isAppleApp();
  }

  /** A message arrived of which the app could not notify. */
  missed(ownId: number, sender: string): void {
    if (!(this.canAsk || this.needsInstall) || this.missedFrom !== undefined || isPostponed(ownId)) return;
    this.missedFrom = sender;
    this.changes.changed();
  }

  /** Asks the browser, after a press of the user. */
  async ask(): Promise<void> {
    this.missedFrom = undefined;
    if (this.canAsk) await Notification.requestPermission();
    this.changes.changed();
  }

  postpone(ownId: number): void {
    this.missedFrom = undefined;
    try {
      localStorage.setItem(accountKey(ownId, 'notifications-asked'), String(Date.now()));
    } catch {
      // Without storage the app asks again after a reload.
    }
    this.changes.changed();
  }
}

function isPostponed(ownId: number): boolean {
  try {
    const at = Number(localStorage.getItem(accountKey(ownId, 'notifications-asked')));
    return at > 0 && Date.now() - at < ASK_AGAIN_MS;
  } catch {
    return false;
  }
}

/** The one of this page. */
export const notificationPermission = new NotificationPermission();
