import { updatePresence } from '@heddle/client/calls/operations.ts';
import type { PresenceReport } from '@heddle/client/model/people/presence.ts';
import type { App } from '../base/app.tsx';

/** Somebody who has not used the keyboard or a pointer for this long is idle, in milliseconds. */
const IDLE_AFTER_MS = 5 * 60_000;

/** Input is noted at most this often, in milliseconds. */
const NOTE_EVERY_MS = 10_000;

/** If the server says nothing about it, in seconds. */
const DEFAULT_PING_INTERVAL_SECONDS = 60;

/** The app paints before it reports, in milliseconds. A reload shows old presences until then. */
const FIRST_REPORT_MS = 500;

/** How soon it tries again if the session has not begun yet, in milliseconds. */
const RETRY_MS = 1_000;

const INPUTS = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchstart'] as const;

interface InputNote {
  readonly kind: 'input';
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface ReportNote {
  readonly kind: 'presences';
  readonly report: PresenceReport;
}

/**
 * Reports whether the user is here, and learns who else is. Of several tabs only the one that polls reports, for all of
 * them: the others tell it of input, and it tells them what the server responded.
 */
export class PresenceReporter {
  readonly #app: App;
  readonly #ending = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastInput = Date.now();
  #lastNote = 0;
  #hasNewInput = true;
  #wasActive = false;

  constructor(app: App) {
    this.#app = app;
  }

  start(): void {
    const { signal } = this.#ending;
    for (const type of INPUTS) {
      window.addEventListener(type, this.#noteInput, { signal, passive: true, capture: true });
    }
    const end = this.#app.tabs?.onMessage((message) => this.#hear(message));
    signal.addEventListener('abort', () => end?.());
    this.#showOwn();
    this.#timer = setTimeout(this.#beat, FIRST_REPORT_MS);
  }

  /** The user is here, whatever the last response of the server says. Invisible users stay so. */
  #showOwn(): void {
    const { model } = this.#app;
    if (!model.account.settings.presence_enabled) return;
    const now = Math.floor(Date.now() / 1000);
    model.presence.applyReport({ presences: { [model.ownId]: { active_timestamp: now, idle_timestamp: now } } });
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#ending.abort();
  }

  readonly #noteInput = (): void => {
    const now = Date.now();
    this.#lastInput = now;
    if (now - this.#lastNote < NOTE_EVERY_MS) return;
    this.#lastNote = now;
    this.#hasNewInput = true;
    if (this.#app.session.isLeader) this.#reportReturn();
    else this.#app.tabs?.send({ kind: 'input', at: now } satisfies InputNote);
  };

  #hear(message: unknown): void {
    if (isInputNote(message)) {
      this.#lastInput = Math.max(this.#lastInput, Math.min(message.at, Date.now()));
      this.#hasNewInput = true;
      if (this.#app.session.isLeader) this.#reportReturn();
    } else if (isReportNote(message)) {
      this.#app.model.presence.applyReport(message.report);
    }
  }

  /** Others see at once that the user is back. */
  #reportReturn(): void {
    if (this.#wasActive || this.#timer === undefined) return;
    this.#wasActive = true;
    clearTimeout(this.#timer);
    void this.#beat();
  }

  readonly #beat = async (): Promise<void> => {
    const { session, model } = this.#app;
    const isLive = session.status.state === 'live';
    if (session.isLeader && isLive) await this.#report();
    if (this.#ending.signal.aborted) return;
    clearTimeout(this.#timer);
    const seconds = model.organization.server.presence_ping_interval_seconds ?? DEFAULT_PING_INTERVAL_SECONDS;
    this.#timer = setTimeout(this.#beat, isLive ? seconds * 1000 : RETRY_MS);
  };

  async #report(): Promise<void> {
    const { connection, model, tabs } = this.#app;
    const isActive = Date.now() - this.#lastInput < IDLE_AFTER_MS;
    const hadNewInput = this.#hasNewInput;
    this.#wasActive = isActive;
    this.#hasNewInput = false;
    try {
      const report = await updatePresence(connection, {
        status: isActive ? 'active' : 'idle',
        new_user_input: hadNewInput,
        last_update_id: model.presence.lastUpdateId,
      });
      if (this.#ending.signal.aborted) return;
      model.presence.applyReport(report);
      tabs?.send({ kind: 'presences', report } satisfies ReportNote);
    } catch {
      // The next report comes in a minute. Until then only the own presence is late.
      this.#hasNewInput ||= hadNewInput;
    }
  }
}

function isInputNote(message: unknown): message is InputNote {
  return kindOf(message) === 'input' && typeof (message as InputNote).at === 'number';
}

function isReportNote(message: unknown): message is ReportNote {
  return kindOf(message) === 'presences' && typeof (message as ReportNote).report === 'object';
}

function kindOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'kind' in message ? message.kind : undefined;
}
