/** The status of a session, as an app shows it. It can be sent to other tabs, so it contains no objects of classes. */

/** Why a session ended and does not try again. */
export type StopReason =
  /** The app stopped it. */
  | 'stopped'
  /** The credentials are no longer valid. */
  | 'logged-out'
  /** The account or the organization is deactivated. */
  | 'deactivated'
  /** The server refuses the registration: it is another server, or another version. `code` and `message` say more. */
  | 'unsupported'
  /** The browser is logged in as another user now. The app should start again for that account. */
  | 'other-account';

/** The server cannot be reached. */
export interface Outage {
  /** When the first attempt failed, in milliseconds since 1970. */
  readonly since: number;
  /** When the next attempt begins, in milliseconds since 1970. Undefined while an attempt is running. */
  readonly nextAttempt?: number;
}

export type SessionStatus =
  /** The session registers, or checks whether its stored queue still exists. */
  | { readonly state: 'connecting' }
  /** Events arrive. */
  | { readonly state: 'live' }
  | ({ readonly state: 'reconnecting' } & Outage)
  /** The same, and the browser knows that it has no network. */
  | ({ readonly state: 'offline' } & Outage)
  | { readonly state: 'stopped'; readonly reason: StopReason; readonly code?: string; readonly message?: string };

export type Stopped = Extract<SessionStatus, { state: 'stopped' }>;

/** Ends an iteration of events if the session stops for a reason that is not the app's. */
export class SessionStoppedError extends Error {
  readonly reason: StopReason;
  /** The code of the server's error, if there is one. */
  readonly code: string | undefined;

  constructor({ reason, code, message }: Stopped) {
    super(`The session has stopped (${reason})${message === undefined ? '' : `: ${message}`}`);
    this.name = 'SessionStoppedError';
    this.reason = reason;
    this.code = code;
  }
}
