import { addSubmessage } from '@heddle/client/calls/operations.ts';
import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { useCallback, useMemo, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';
import { useChangesOf } from '../../base/use-changes.ts';
import { problemText } from '../../shown/problem-text.ts';
import { factsOf } from '../message-facts.ts';
import { type PendingContribution, withPending } from './pending.ts';
import { type Contribution, contributionsOf, type Fields } from './widget.ts';

export interface Contributions {
  readonly list: readonly Contribution[];
  /** Shows a contribution at once and sends it. Returns whether the server accepted it. A failure is shown. */
  readonly add: (data: Fields) => Promise<boolean>;
  /** Whether the user can contribute. */
  readonly isOpen: boolean;
}

const NO_CHANNEL_ID = 0;

/** The contributions to the widget of a message, with those of the user that are on their way. */
export function useContributions(record: MessageRecord): Contributions {
  const { id, submessages } = record;
  const { model, connection } = useApp();
  const facts = factsOf(record);
  useChangesOf(model.channels.changesOf, facts.channelId ?? NO_CHANNEL_ID);
  const [pending, setPending] = useState<readonly PendingContribution[]>([]);
  const add = useCallback(
    async (data: Fields) => {
      const content = JSON.stringify(data);
      const known = model.cache.messages.get(id)?.submessages ?? [];
      const one = { content, afterId: known.at(-1)?.id ?? 0 };
      setPending((before) => [...before, one]);
      try {
        await addSubmessage(connection, { message_id: id, msg_type: 'widget', content }, { retries: 2 });
        return true;
      } catch (error) {
        setPending((before) => before.filter((other) => other !== one));
        const problem = problemText(error);
        toasts.show({
          text: t('Your change was not saved: {problem}', { problem }),
          kind: 'error',
          key: `widget-${id}`,
        });
        return false;
      }
    },
    [connection, model, id],
  );
  const list = useMemo(
    () => contributionsOf(withPending(submessages, pending, model.ownId)),
    [submessages, pending, model],
  );
  return { list, add, isOpen: model.permissions.messages.react(facts).allowed };
}
