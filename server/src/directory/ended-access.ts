/**
 * The ends of sessions and API keys, as events of the log. So each process ends the polls of a session or key before it delivers a later
 * event, and no poll outlives its credentials.
 */
import type { LoggedEvent, NewEvent } from '../log/event.ts';
import type { StateDelta } from './state-deltas.ts';

/** Which sessions of an account have ended. Sessions are named as `sessionName` does (`domain/credentials/sessions.ts`). */
export interface EndedSessions {
  readonly userId: number;
  readonly sessions: 'all' | readonly string[];
  /**
   * The browser of this session gets another one with the response that it waits for. So its polls do not fail, but they return no
   * later event.
   */
  readonly replaced?: string;
}

const SESSIONS_ENDED = 'sessions_ended';

/** No client receives it. It does not change the directory, so it conflicts with no other transaction. */
export function sessionsEnded(ended: EndedSessions): NewEvent {
  return { type: SESSIONS_ENDED, audience: { to: 'nobody' }, body: ended };
}

export function endedSessionsBy({ type, body }: LoggedEvent): EndedSessions | undefined {
  return type === SESSIONS_ENDED ? (body as EndedSessions) : undefined;
}

/** The users whose API keys become invalid at this event: the account is closed, or has a new key. */
export function shutOutBy(event: LoggedEvent): readonly number[] {
  const deltas = (event.deltas ?? []) as readonly StateDelta[];
  return deltas.flatMap((delta) =>
    delta.delta === 'user' && (!delta.user.isActive || delta.hasNewKey) ? delta.user.id : [],
  );
}
