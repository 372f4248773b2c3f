import { getWebPushDevices, subscribeToWebPush, unsubscribeFromWebPush } from '@heddle/client/calls/operations.ts';
import { Subject } from '@heddle/client/model/changes.ts';
import { accountKey, choiceKey, writeLocal } from '../base/account-storage.ts';
import type { App } from '../base/app.tsx';
import { csrfToken } from '../base/early.ts';
import { notificationPermission } from './permission.ts';

/** The service worker is installed when the app is idle. This long the app waits for it, in milliseconds. */
const WORKER_TIMEOUT_MS = 15_000;

/** The name of both entries in the local storage. */
const ENTRY = 'web-push';

/** What the user chose for this browser. The browser's permission is no choice: another account may have asked for it. */
interface Choice {
  /** Whether this browser notifies the user while the app is closed. */
  readonly isOn: boolean;
  readonly showsText: boolean;
}

/** The subscription that the server has. */
interface Subscribed {
  readonly endpoint: string;
  /** The token of the session to which it belongs. */
  readonly session: string;
}

type Caller = Pick<App, 'model' | 'connection'>;

/** This browser as a device that the server notifies, also while the app is closed (Web Push). */
class PushDevice {
  readonly changes = new Subject();
  /** Whether the server notifies this browser. */
  isOn = false;
  /** Whether its notifications contain the text of messages. */
  showsText = true;

  /** Whether the browser and the server can do it. */
  canBeOn({ model }: Caller): boolean {
    const canBrowser = 'serviceWorker' in navigator && 'PushManager' in window && typeof Notification !== 'undefined';
    return canBrowser && model.account.webPushKey !== undefined;
  }

  /** Whether this browser is notified, as far as it knows without the server, and with texts. */
  choiceOf(userId: number): Choice {
    const { isOn, showsText } = readChoice(userId);
    return { isOn: isOn && readSubscribed(userId) !== undefined, showsText };
  }

  /** Subscribes at the start of the app if the user turned it on in this browser, or learns that the server has the subscription. */
  async resume(caller: Caller): Promise<void> {
    const { ownId } = caller.model;
    const { isOn, showsText } = readChoice(ownId);
    this.showsText = showsText;
    if (!isOn || !this.canBeOn(caller) || !notificationPermission.isGranted) return;
    const subscribed = readSubscribed(ownId);
    const registration = await workerRegistration();
    if (registration === undefined) return;
    const present = await registration.pushManager.getSubscription();
    const isOfThisLogin = present?.endpoint === subscribed?.endpoint && subscribed?.session === csrfToken();
    if (present === null || !isOfThisLogin || isOfOtherKey(present, caller)) {
      await this.#subscribe(caller, registration);
      return;
    }
    const { devices, is_removed: isRemoved } = await getWebPushDevices(caller.connection);
    const own = devices.find(({ is_current }) => is_current);
    if (own !== undefined) this.#set({ isOn: true, showsText: own.shows_text });
    else {
      // The push service may have ended it, so that its address is of no use any more.
      await present.unsubscribe();
      // Without a removal by the user, it ended by itself, or newer browsers took its place and now it is used again.
      if (isRemoved) this.#choose(ownId, false);
      else await this.#subscribe(caller, registration);
    }
  }

  /**
   * After a press of the user. Resolves also if the browser or the user does not allow it.
   * @throws if the push service or the server cannot be reached
   */
  async turnOn(caller: Caller): Promise<void> {
    await notificationPermission.ask();
    if (!this.canBeOn(caller) || !notificationPermission.isGranted) return;
    const registration = await neededRegistration();
    // If the push service or the server cannot be reached, the next start tries again.
    this.#choose(caller.model.ownId, true);
    // The server does not have this one any more.
    if (!this.isOn) await (await registration.pushManager.getSubscription())?.unsubscribe();
    await this.#subscribe(caller, registration);
  }

  async turnOff(caller: Caller): Promise<void> {
    await unsubscribeFromWebPush(caller.connection);
    this.#choose(caller.model.ownId, false);
    this.#set({ isOn: false, showsText: this.showsText });
    const registration = await workerRegistration();
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
  }

  async showText(caller: Caller, showsText: boolean): Promise<void> {
    const registration = await neededRegistration();
    const before = this.showsText;
    this.showsText = showsText;
    try {
      await this.#subscribe(caller, registration);
    } catch (error) {
      this.showsText = before;
      throw error;
    }
  }

  async #subscribe(caller: Caller, registration: ServiceWorkerRegistration): Promise<void> {
    const { model, connection } = caller;
    const { showsText } = this;
    const { pushManager } = registration;
    let subscription = await pushManager.getSubscription();
    if (subscription !== null && isOfOtherKey(subscription, caller)) {
      // The server has another secret than before.
      await subscription.unsubscribe();
      subscription = null;
    }
    subscription ??= await pushManager.subscribe({
      // Each push shows something, or the browser shows something itself.
      userVisibleOnly: true,
      applicationServerKey: model.account.webPushKey ?? '',
    });
    const { endpoint = '', keys } = subscription.toJSON();
    const parameters = { endpoint, p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '', shows_text: showsText };
    await subscribeToWebPush(connection, parameters);
    writeSubscribed(model.ownId, { endpoint, session: csrfToken() });
    this.#choose(model.ownId, true);
    this.#set({ isOn: true, showsText });
  }

  #choose(userId: number, isOn: boolean): void {
    writeChoice(userId, { isOn, showsText: this.showsText });
  }

  #set({ isOn, showsText }: Pick<PushDevice, 'isOn' | 'showsText'>): void {
    this.isOn = isOn;
    this.showsText = showsText;
    this.changes.changed();
  }
}

/** The one of this page. */
export const pushDevice = new PushDevice();

/** The service worker of the app, when it works. Undefined if the browser has none. */
export async function workerRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), WORKER_TIMEOUT_MS));
  return workers === undefined ? undefined : Promise.race([workers.ready, late]);
}

/** @throws Error if the worker could not be installed, for example because the browser has no room for its files */
async function neededRegistration(): Promise<ServiceWorkerRegistration> {
  const registration = await workerRegistration();
  if (registration === undefined) throw new Error('the browser has no service worker');
  return registration;
}

/** Whether the subscription is for another key than that of the server. Some browsers do not say it. */
function isOfOtherKey({ options }: PushSubscription, { model }: Caller): boolean {
  const { applicationServerKey: key } = options;
  if (key === null) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') !== model.account.webPushKey;
}

function readChoice(userId: number): Choice {
  const { isOn = false, showsText = true } = readEntry<Choice>(choiceKey(userId, ENTRY));
  return { isOn, showsText };
}

function writeChoice(userId: number, choice: Choice): void {
  writeLocal(choiceKey(userId, ENTRY), JSON.stringify(choice));
}

/** Undefined if the server has none of this browser, as far as that is known. */
function readSubscribed(userId: number): Subscribed | undefined {
  const { endpoint, session } = readEntry<Subscribed>(accountKey(userId, ENTRY));
  return endpoint === undefined || session === undefined ? undefined : { endpoint, session };
}

function writeSubscribed(userId: number, subscribed: Subscribed): void {
  writeLocal(accountKey(userId, ENTRY), JSON.stringify(subscribed));
}

function readEntry<Entry>(key: string): Partial<Entry> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Entry>;
  } catch {
    return {};
  }
}
