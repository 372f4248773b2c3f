import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { type ReactNode, useId } from 'react';
import { useApp } from '../../base/app.tsx';
import { Button } from '../../design/button.tsx';
import { showSent } from '../../shown/sent.ts';
import { type Fields, isFields } from './widget.ts';
import styles from './widgets.module.css';

interface Props {
  readonly record: MessageRecord;
  readonly definition: Fields;
}

interface Choice {
  readonly shortName: string;
  readonly longName: string;
  readonly reply: string;
}

/** The buttons of a bot. Each sends a reply to the conversation. */
export function ChoicesView({ record, definition }: Props): ReactNode {
  const app = useApp();
  const send = (reply: string): void => {
    const { cache, maxMessageId } = app.model;
    cache.outbox.send(record.place, reply, maxMessageId);
    showSent(app, record.place);
  };
  const id = useId();
  const heading = typeof definition.heading === 'string' ? definition.heading : '';
  return (
    <section className={styles.widget} aria-labelledby={id}>
      <div className={styles.head}>
        <strong id={id} className={styles.title}>
          {heading}
        </strong>
      </div>
      <ul className={styles.options}>
        {choicesOf(definition).map(({ shortName, longName, reply }) => (
          <li key={shortName} className={styles.choice}>
            <Button
              size="small"
              isDisabled={app.model.account.isSpectator}
              onPress={() => send(reply)}
              aria-label={`${shortName}: ${longName}`}
            >
              {shortName}
            </Button>
            <span dir="auto">{longName}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function choicesOf({ choices }: Fields): readonly Choice[] {
  if (!Array.isArray(choices)) return [];
  return choices.flatMap((choice: unknown) => {
    if (!isFields(choice)) return [];
    const { short_name: shortName, long_name: longName, reply } = choice;
    const isComplete = typeof shortName === 'string' && typeof longName === 'string' && typeof reply === 'string';
    return isComplete ? [{ shortName, longName, reply }] : [];
  });
}
