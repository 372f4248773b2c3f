import type { Connection } from '@heddle/client/calls/connection.ts';
import { isOutcomeUnknown } from '@heddle/client/calls/errors.ts';
import { deleteScheduledMessage, getScheduledMessages } from '@heddle/client/calls/operations.ts';
import type { App } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';

interface Scheduled {
  readonly id: number;
  /** Seconds since the epoch. */
  readonly deliverAt: number;
}

/** Takes a scheduled message back, and says if that fails. If it succeeds, only the caller has the text. */
export async function unschedule({ connection }: App, scheduled: Scheduled): Promise<boolean> {
  try {
    await deleteScheduledMessage(connection, { scheduled_message_id: scheduled.id });
    return true;
  } catch (error) {
    // Only the response was lost. Without a look, the text would be lost too.
    if (isOutcomeUnknown(error) && (await isTakenBack(connection, scheduled))) return true;
    toasts.show({ text: t('The scheduled message could not be changed. Try again.'), kind: 'error', key: 'scheduled' });
    return false;
  }
}

async function isTakenBack(connection: Connection, { id, deliverAt }: Scheduled): Promise<boolean> {
  try {
    const { scheduled_messages: left } = await getScheduledMessages(connection, {}, { retries: 2 });
    // What was sent at its time is not there either.
    return deliverAt > Date.now() / 1000 && left.every((one) => one.scheduled_message_id !== id);
  } catch {
    return false;
  }
}
