import { createScheduledMessage, deleteScheduledMessage } from '@heddle/client/calls/operations.ts';
import type { Place } from '@heddle/client/model/places.ts';
import { toasts } from '../design/toasts.ts';
import type { App } from '../shell/app.tsx';
import { t } from '../shell/i18n.ts';
import { formatDateTime } from '../shell/i18n-formats.ts';
import { problemOf } from './problems.ts';
import type { ComposeSession } from './session.ts';
import { onDay, weekdayIn } from './zoned-time.ts';

/** A time that the menu offers. */
export interface Preset {
  readonly key: 'later today' | 'afternoon' | 'tomorrow' | 'tomorrow afternoon' | 'monday';
  readonly at: Date;
}

/** Presets that are sooner than this are no presets, in milliseconds. */
const MIN_PAUSE_MS = 15 * 60_000;
const MONDAY = 1;

/** The times that the menu offers, in the zone of the user. Each is on a whole hour. */
export function presetsAt(now: Date, zone: string): readonly Preset[] {
  const days = (MONDAY - weekdayIn(now, zone) + 7) % 7 || 7;
  const presets: readonly Preset[] = [
    { key: 'later today', at: onDay(now, 0, '09:00', zone) },
    { key: 'afternoon', at: onDay(now, 0, '16:00', zone) },
    { key: 'tomorrow', at: onDay(now, 1, '09:00', zone) },
    { key: 'tomorrow afternoon', at: onDay(now, 1, '16:00', zone) },
    // On Sunday, tomorrow is Monday.
    ...(days === 1 ? [] : [{ key: 'monday' as const, at: onDay(now, days, '09:00', zone) }]),
  ];
  return presets.filter(({ at }) => at.getTime() - now.getTime() >= MIN_PAUSE_MS);
}

/**
 * Schedules the text of the box. The text stays in the box until the server has it. A toast offers to take it back.
 */
export async function sendLater({ connection, model }: App, session: ComposeSession, at: Date): Promise<void> {
  const { place } = session;
  const content = session.text.value.trim();
  if (place === undefined || content === '') return;
  const parameters = { content, scheduled_delivery_timestamp: Math.round(at.getTime() / 1000), read_by_sender: true };
  try {
    const { scheduled_message_id } = await createScheduledMessage(connection, {
      ...recipientOf(place, model.ownId),
      ...parameters,
    });
    const text = t('The message is sent {time}.', { time: formatDateTime(at) });
    // The user can have typed more meanwhile.
    if (session.text.value.trim() === content) session.take();
    const undo = (): void => {
      deleteScheduledMessage(connection, { scheduled_message_id }).then(
        () => session.replaceText({ place, content }),
        (error: unknown) => toasts.show({ kind: 'error', text: problemOf(error) }),
      );
    };
    toasts.show({ text, action: { label: t('Undo'), run: undo } });
  } catch (error) {
    toasts.show({ kind: 'error', text: t('Not scheduled: {problem}', { problem: problemOf(error) }) });
  }
}

function recipientOf(place: Place, ownId: number) {
  if (place.kind === 'topic') return { type: 'channel', to: place.channelId, topic: place.topic } as const;
  return { type: 'direct', to: place.userIds.length === 0 ? [ownId] : [...place.userIds] } as const;
}
