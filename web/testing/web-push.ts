/** Web Push in browser tests: a subscription at the push service of the tests, and the service worker that gets its pushes. */
import assert from 'node:assert/strict';
import type { WebPushPayload } from '@heddle/api/objects/web-push-payload.ts';
import { Visitor } from '@heddle/server/testing/clients/visitor.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import { TestWebPushDevice, type TestWebPushService } from '@heddle/server/testing/services/web-push-service.ts';
import type { Page, Worker } from 'playwright-core';
import type { BrowserWorld, Person } from './browser-world.ts';

/** A page of our address that is no window of the app: the script of the worker as a text. */
const ELSEWHERE = '/worker.js';

/** A notification of the worker. */
interface WorkerNotice {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly actions: readonly string[];
  readonly messageIds: readonly number[];
}

interface ShownNotice extends Notification {
  readonly actions: readonly { readonly action: string }[];
}

/** What the stand-in of the push service has seen in the page, in order. */
type PushCall = 'subscribe' | 'unsubscribe';

/**
 * A browser profile in which the app can be notified by the push service of the tests. A headless browser has neither a push service nor a screen
 * for notifications; both have stand-ins. It does give pushes to the worker.
 */
export class PushProfile {
  /** What the server sends to the profile. */
  readonly device: TestWebPushDevice;
  readonly #page: Page;
  readonly #world: BrowserWorld;
  readonly #userId: number;

  private constructor(
    world: BrowserWorld,
    page: Page,
    { person, device }: { person: Person; device: TestWebPushDevice },
  ) {
    this.#world = world;
    this.#userId = person.client.userId;
    this.#page = page;
    this.device = device;
  }

  /** @param page an open page of the profile, which is loaded again */
  static async of(
    world: BrowserWorld,
    page: Page,
    { person, service }: { readonly person: Person; readonly service: TestWebPushService },
  ): Promise<PushProfile> {
    const device = new TestWebPushDevice(new Visitor(world.url));
    device.endpoint = service.add(device);
    const registration = { event_types: ['realm'], client_capabilities: { web_push: true } };
    device.serverKey = (await person.client.register(registration)).state.web_push_public_key;
    // The app waits only a limited time for its worker, and installing takes long on a busy machine.
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.context().addInitScript(standInForScreen);
    await page.context().addInitScript(standInForPushService, device.subscription);
    await page.reload();
    return new PushProfile(world, page, { person, device });
  }

  calls(): Promise<readonly PushCall[]> {
    return this.#page.evaluate(() => JSON.parse(localStorage.getItem('test-push-calls') ?? '[]'));
  }

  /** Leaves the app, so that it has no window. */
  async leave(): Promise<void> {
    await this.#page.goto(this.#world.url + ELSEWHERE);
  }

  /** Lets the browser receive what the server has sent last, when `wants` is true for it. Returns it. */
  async receive(wants: (payload: WebPushPayload) => boolean): Promise<WebPushPayload> {
    const found = () => this.device.received.findLast(({ payload }) => wants(payload))?.payload;
    const payload = await until(found, 'the push');
    await this.deliver(payload);
    return payload;
  }

  /**
   * Gives a payload to the worker, as the browser does after it has decrypted a push. Resolves when the worker has handled it, which the badge
   * shows, or at once for a payload of another account.
   */
  async deliver(payload: WebPushPayload): Promise<void> {
    const before = (await this.badges()).length;
    const session = await this.#page.context().newCDPSession(this.#page);
    let registrationId: string | undefined;
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL, isDeleted }) => scopeURL.startsWith(this.#world.url) && !isDeleted);
      registrationId ??= own?.registrationId;
    });
    await session.send('ServiceWorker.enable');
    const known = await until(() => registrationId, 'the registration of the worker');
    const data = JSON.stringify(payload);
    const push = { origin: this.#world.url, registrationId: known, data };
    await session.send('ServiceWorker.deliverPushMessage', push);
    if (payload.unread !== null && payload.user_id === this.#userId)
      await until(async () => (await this.badges()).length > before, 'the worker');
    await session.detach();
  }

  /** The numbers that the worker has shown on the icon of the app. */
  async badges(): Promise<readonly number[]> {
    return (await this.#worker()).evaluate(() => {
      const scope = globalThis as unknown as { badges?: number[] };
      if (scope.badges === undefined) {
        const badges: number[] = [];
        scope.badges = badges;
        Object.assign(navigator, { setAppBadge: async (count: number) => void badges.push(count) });
      }
      return scope.badges;
    });
  }

  async notices(): Promise<readonly WorkerNotice[]> {
    return (await this.#worker()).evaluate(async () => {
      const { registration } = globalThis as unknown as {
        readonly registration: { getNotifications(): Promise<readonly ShownNotice[]> };
      };
      const all = await registration.getNotifications();
      return all.map(({ title, body, tag, actions, data }) => ({
        title,
        body,
        tag,
        actions: actions.map(({ action }) => action),
        messageIds: data.messageIds,
      }));
    });
  }

  /** Waits for the notifications with these titles and texts. */
  async shows(...expected: readonly (readonly [title: string, body: string])[]): Promise<readonly WorkerNotice[]> {
    const texts = async () => (await this.notices()).map(({ title, body }) => `${title}: ${body}`);
    const wanted = expected.map(([title, body]) => `${title}: ${body}`);
    let last: readonly string[] = [];
    try {
      await until(async () => {
        last = await texts();
        return JSON.stringify(last) === JSON.stringify(wanted);
      }, 'the notifications');
    } catch {
      assert.deepEqual(last, wanted);
    }
    return this.notices();
  }

  /**
   * Presses the notification with this title, or a button of it. Only a person can press it, so this tells the worker the same as a browser.
   * @param reply what the person has typed into it
   */
  async press(title: string, action = '', reply?: string): Promise<void> {
    const worker = await this.#worker();
    await worker.evaluate(pressInWorker, { title, action, reply });
  }

  /** Cuts the worker off from the server, or connects it again. */
  async connect(isConnected: boolean): Promise<void> {
    const worker = await this.#worker();
    await worker.evaluate((connected) => {
      const scope = globalThis as unknown as { fetch: unknown; realFetch?: unknown };
      scope.realFetch ??= scope.fetch;
      scope.fetch = connected ? scope.realFetch : () => Promise.reject(new TypeError('Failed to fetch'));
    }, isConnected);
  }

  async #worker(): Promise<Worker> {
    const context = this.#page.context();
    const running = () => context.serviceWorkers().find((one) => one.url().startsWith(this.#world.url));
    const worker = await until(running, 'the worker');
    await worker.evaluate(standInForScreen);
    return worker;
  }
}

/** Runs in the worker. */
async function pressInWorker({ title, action, reply }: { title: string; action: string; reply: string | undefined }) {
  const scope = globalThis as unknown as EventTarget & WithRegistration;
  const notification = (await scope.registration.getNotifications()).find((one) => one.title === title);
  if (notification === undefined) throw new Error(`no notification "${title}"`);
  let work: Promise<unknown> | undefined;
  const waitUntil = (promise: Promise<unknown>) => {
    work = promise;
  };
  scope.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, action, reply, waitUntil }));
  await work;
}

interface WithRegistration {
  readonly registration: { getNotifications(): Promise<readonly Notification[]> };
}

/**
 * Runs in pages and in the worker, which share it: the screen for notifications, which headless Chromium lacks. It forbids to show any. In
 * pages, the user has allowed notifications.
 */
export function standInForScreen(): void {
  const CACHE = 'test-screen';
  const scope = globalThis as { hasStandIn?: boolean };
  if (scope.hasStandIn || !('ServiceWorkerRegistration' in globalThis)) return;
  scope.hasStandIn = true;
  const screen = () => caches.open(CACHE);
  Object.assign(ServiceWorkerRegistration.prototype, {
    async showNotification(title: string, options: NotificationOptions) {
      const key = `/${encodeURIComponent(options.tag ?? title)}`;
      await (await screen()).put(key, new Response(JSON.stringify({ body: '', icon: '', ...options, title })));
    },
    async getNotifications({ tag }: GetNotificationOptions = {}) {
      const shown = await screen();
      const keys = await shown.keys();
      const all = await Promise.all(
        keys.map(async (key) => {
          const content = await (await shown.match(key))?.json();
          return { ...content, close: () => void shown.delete(key) };
        }),
      );
      return all.filter((one) => tag === undefined || one.tag === tag);
    },
  });
  if (typeof Notification === 'undefined' || typeof document === 'undefined') return;
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
}

/** Runs in the page before its scripts: what the browser gets from its push service. It survives a reload. */
function standInForPushService({ endpoint, p256dh, auth }: TestWebPushDevice['subscription']): void {
  if (!('PushManager' in globalThis)) return;
  const KEY = 'test-push-key';
  const note = (call: PushCall) => {
    const calls = JSON.parse(localStorage.getItem('test-push-calls') ?? '[]');
    localStorage.setItem('test-push-calls', JSON.stringify([...calls, call]));
  };
  const present = () => {
    const key = localStorage.getItem(KEY);
    if (key === null) return null;
    const bytes = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    return {
      endpoint,
      options: { userVisibleOnly: true, applicationServerKey: bytes.buffer },
      toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
      unsubscribe: async () => {
        localStorage.removeItem(KEY);
        note('unsubscribe');
        return true;
      },
    };
  };
  Object.assign(PushManager.prototype, {
    getSubscription: async () => present(),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      localStorage.setItem(KEY, applicationServerKey);
      note('subscribe');
      return present();
    },
  });
}
