import { Connection } from '@heddle/client/calls/connection.ts';
import type { InitialState, ServerEvent } from '@heddle/client/calls/types.ts';
import { Subject } from '@heddle/client/model/changes.ts';
import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { OutgoingMessage } from '@heddle/client/model/messages/outbox.ts';
import { Model, type ModelOptions, type TopicMove } from '@heddle/client/model/model.ts';
import { attachToPage } from '@heddle/client/session/browser.ts';
import { IndexedDbStore } from '@heddle/client/session/indexed-db-store.ts';
import { Session } from '@heddle/client/session/session.ts';
import type { StopReason } from '@heddle/client/session/status.ts';
import { Tabs } from '@heddle/client/session/tabs.ts';
import { untilEmptied } from '../base/account-storage.ts';
import type { App } from '../base/app.tsx';
import { csrfToken, REGISTRATION, setResumableUntil, start, takeFirstPage, takeRegistration } from '../base/early.ts';
import { Navigation } from '../base/navigation.ts';
import { isLoggingOut } from '../people/log-out.ts';
import { applyDisplaySettings } from './display-settings.ts';
import { EventPace } from './event-pace.ts';
import { leaveAccount, logInInTurn, returnToAccount, untilLeft } from './leaving.ts';
import { MemberStore, restoreMembers } from './member-store.ts';
import { UnsentStore } from './unsent-store.ts';
import { restoreWindows, WindowStore } from './window-store.ts';

/** A stored queue can be continued this long after its last poll, in milliseconds. Servers keep queues at least ten minutes. */
export const QUEUE_LIVES_MS = 8 * 60_000;

/** Types of events after which the messages of an earlier response are still complete. */
const ABOUT_NO_MESSAGE: ReadonlySet<string> = new Set(['heartbeat', 'presence', 'typing']);

/** How often the store notes that its queue still lives, in milliseconds. */
const NOTE_EVERY_MS = 60_000;

/** The longest pause between two attempts of a message or a mark, in milliseconds. */
const MAX_RETRY_PAUSE_MS = 15_000;

/** What the app shows before it has its state, and while it has it. */
export interface Boot {
  readonly changes: Subject;
  /** Undefined until the initial state is there. */
  readonly app: App | undefined;
  readonly session: Session;
  readonly tabs: Tabs | undefined;
  /** What the user has sent and the server does not have, after the end of the login. */
  readonly unsent: readonly OutgoingMessage[];
}

class RunningApp implements Boot {
  readonly changes = new Subject();
  readonly session: Session;
  readonly tabs: Tabs | undefined;
  unsent: readonly OutgoingMessage[] = [];
  readonly #connection = new Connection({
    url: window.location.origin,
    ...(start.userId !== null && { credentials: { session: () => csrfToken() || undefined } }),
    fetch: (input, init) => this.#fetch(String(input), init),
  });
  readonly #store: IndexedDbStore | undefined;
  readonly #unsent: UnsentStore;
  readonly #windows = new WindowStore();
  readonly #pace = new EventPace();
  readonly #members = new MemberStore();
  readonly #listeners = new Set<(message: MessageRecord) => void>();
  readonly #moveListeners = new Set<(move: TopicMove) => void>();
  /** What an earlier page has stored, until its events are applied. */
  #stored: ReadonlyMap<string, unknown> | undefined;
  #app: App | undefined;
  /** Whether the server has said since the page was loaded what the user may see, or cannot be reached. */
  #isConfirmed = false;
  /** Whether events have arrived since the page was loaded. */
  #hasEvents = false;

  constructor() {
    const account = { url: window.location.origin, userId: start.userId ?? 0 };
    const hasAccount = start.userId !== null;
    this.#store = hasAccount ? new IndexedDbStore(account) : undefined;
    this.#unsent = new UnsentStore(this.#store);
    this.tabs = hasAccount ? new Tabs(account) : undefined;
    this.session = new Session({
      connection: this.#connection,
      registration: hasAccount ? REGISTRATION : { ...REGISTRATION, client_gravatar: false },
      ...(this.#store !== undefined && { store: this.#store }),
      ...(this.tabs !== undefined && { tabs: this.tabs }),
      onState: (state, { source, extra }) => {
        this.#stored = source === 'store' ? extra : undefined;
        if (source === 'server') this.#isConfirmed = true;
        this.#replaceModel(state);
      },
      onEvents: (events) => this.#apply(events),
      untilReady: () => this.#pace.untilReady(),
      compact: () => this.#app?.model.state(),
      extra: () => new Map([...this.#windows.changes(this.#app?.model), ...this.#members.changes(this.#app?.model)]),
      onStatus: (status) => {
        if (status.state === 'live') this.#noteQueueLives();
        if (status.state === 'stopped') void this.#stopped(status.reason);
        // The events of the first response are applied in this turn.
        else if (status.state !== 'connecting' && !this.#isConfirmed) queueMicrotask(() => this.#confirm());
      },
      // biome-ignore lint/suspicious/noConsole: the user has nothing to do, but a developer may look.
      onProblem: ({ kind, error }) => console.warn(`Heddle continued after a problem (${kind})`, error),
    });
  }

  /** A stored state can contain channels that the user may not see any more. It is shown after the first response of the server. */
  get app(): App | undefined {
    return this.#isConfirmed ? this.#app : undefined;
  }

  async start(): Promise<void> {
    if (this.#store !== undefined && start.userId !== null) await returnToAccount(start.userId, this.#store);
    attachToPage(this.session);
    // The page can end now.
    for (const type of ['visibilitychange', 'pagehide']) {
      window.addEventListener(type, () => void this.#app?.model.cache.marks.flush(), { capture: true });
    }
    setInterval(() => {
      if (this.session.status.state === 'live') this.#noteQueueLives();
    }, NOTE_EVERY_MS);
    await this.session.start();
  }

  #confirm(): void {
    if (this.#isConfirmed) return;
    this.#isConfirmed = true;
    this.changes.changed();
  }

  /** The session has ended. The page of a login that ended shows nothing more of the account. */
  async #stopped(reason: StopReason): Promise<void> {
    if (start.userId === null || this.#store === undefined) return;
    if (reason === 'unsupported') setResumableUntil(start.userId, 0);
    if (reason === 'stopped' || reason === 'unsupported' || isLoggingOut()) return;
    // The user may just have sent it. Nothing else of the account is shown.
    const messages = this.#app?.model.cache.outbox.list() ?? [];
    this.unsent = reason === 'deactivated' ? [] : messages.filter(({ state }) => state !== 'sent');
    const leaving = leaveAccount(start.userId, this.#store);
    // From now on: the user can look elsewhere while the browser still deletes.
    const left = this.unsent.length > 0 ? untilLeft() : undefined;
    this.#app = undefined;
    this.changes.changed();
    await untilEmptied(leaving);
    // A deactivated user cannot log in, so the page says why.
    if (reason === 'deactivated') return;
    await left;
    void logInInTurn();
  }

  /** After a request without a valid login, the session finds out whether it has ended. It reads the responses to its own requests itself. */
  async #fetch(url: string, init?: RequestInit): Promise<Response> {
    const response = await (this.#earlyResponse(url, init?.method) ?? fetch(url, init));
    const isOfSession = /\/json\/(?:events|register)(?:\?|$)/.test(url);
    if (response.status === 401 && start.userId !== null && !isOfSession) this.session.check();
    return response;
  }

  #apply(events: readonly ServerEvent[]): void {
    const model = this.#app?.model;
    if (model === undefined) return;
    if (events.some(({ type }) => !ABOUT_NO_MESSAGE.has(type))) this.#hasEvents = true;
    this.#pace.arrived();
    for (const event of events) model.apply(event);
    if (this.#stored !== undefined) {
      restoreWindows(model, this.#stored);
      restoreMembers(model, this.#stored);
    }
    this.#stored = undefined;
  }

  #replaceModel(state: InitialState): void {
    const previous = this.#app;
    const options: ModelOptions = {
      connection: this.#connection,
      untilRetry: (attempt) => this.#untilRetry(attempt),
      saveOutbox: (messages) => this.#unsent.keepMessages(messages),
      saveMarks: (ids) => this.#unsent.keepMarks(ids),
      onMessage: (message) => {
        // Nobody is notified of what arrived before the reload.
        if (this.#stored !== undefined) return;
        for (const listener of this.#listeners) listener(message);
      },
      onMove: (move) => {
        for (const listener of this.#moveListeners) listener(move);
      },
    };
    const model = new Model(state, options, previous?.model);
    const navigation = previous?.navigation ?? new Navigation(this.#lookups(), () => homeOf(this.#app?.model ?? model));
    this.#app = {
      model,
      connection: this.#connection,
      session: this.session,
      navigation,
      tabs: this.tabs,
      onMessage: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      onMove: (listener) => {
        this.#moveListeners.add(listener);
        return () => this.#moveListeners.delete(listener);
      },
    };
    if (previous === undefined) void this.#unsent.restore(model);
    // The first render must already have the right clock: nothing renders all dates again.
    applyDisplaySettings(model.account.settings);
    this.changes.changed();
  }

  /** Names and ids of the newest model. */
  #lookups() {
    const model = () => this.#app?.model;
    return {
      channelName: (id: number) => model()?.channels.get(id)?.name,
      userName: (id: number) => model()?.users.get(id)?.name,
      channelIdOf: (name: string) => model()?.channels.byName(name)?.id,
      userIdOf: (email: string) => model()?.users.byAddress(email)?.id,
    };
  }

  /**
   * Waits longer with each attempt. If the server cannot be reached, it waits until it can, and then tries at once. While
   * the session is live, a change of its status means that it was not.
   */
  #untilRetry(attempt: number): Promise<void> {
    const pause = Math.min(500 * 2 ** attempt, MAX_RETRY_PAUSE_MS) * (0.75 + Math.random() / 2);
    const isLive = () => this.session.status.state === 'live';
    return new Promise((resolve) => {
      const finish = (): void => {
        if (!isLive()) return;
        clearTimeout(timer);
        end();
        resolve();
      };
      const timer = setTimeout(finish, pause);
      const end = this.session.statusChanges.subscribe(finish);
    });
  }

  /** The response to a request that the page has sent before this code was loaded. */
  #earlyResponse(url: string, method = 'GET'): Promise<Response> | undefined {
    if (method === 'POST' && url.endsWith('/json/register')) return takeRegistration();
    if (method !== 'GET' || !url.includes('/json/messages?')) return undefined;
    const page = takeFirstPage(url);
    return this.#hasEvents ? undefined : page;
  }

  #noteQueueLives(): void {
    if (start.userId !== null) setResumableUntil(start.userId, Date.now() + QUEUE_LIVES_MS);
  }
}

/** The view that the user has chosen as home. */
function homeOf(model: Model) {
  // A spectator has no inbox.
  if (model.account.isSpectator) return { view: 'feed' } as const;
  const view = model.account.settings.web_home_view;
  if (view === 'recent_topics') return { view: 'recent' } as const;
  return view === 'all_messages' ? ({ view: 'feed' } as const) : ({ view: 'inbox' } as const);
}

export function boot(): Boot {
  const running = new RunningApp();
  void running.start();
  return running;
}
