import { isOutcomeUnknown } from '@heddle/client/calls/errors.ts';
import { deleteScheduledMessage } from '@heddle/client/calls/operations.ts';
import type { App } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';

/**
 * Takes a scheduled message back, and says if that fails. After `taken` and `unclear` the caller must keep the text: the server has it no
 * more, or perhaps not.
 */
export async function unschedule({ connection }: App, id: number): Promise<'taken' | 'unclear' | 'kept'> {
  try {
    await deleteScheduledMessage(connection, { scheduled_message_id: id });
    return 'taken';
  } catch (error) {
    const isUnclear = isOutcomeUnknown(error);
    const text = isUnclear
      ? t('The server did not respond. Perhaps the message is still scheduled.')
      : t('The scheduled message could not be changed. Try again.');
    toasts.show({ text, kind: 'error', key: 'scheduled' });
    return isUnclear ? 'unclear' : 'kept';
  }
}
