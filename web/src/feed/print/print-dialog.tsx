import { getMessages } from '@heddle/client/calls/operations.ts';
import type { Message } from '@heddle/client/calls/types.ts';
import { narrowOfPlace, wireNarrow } from '@heddle/client/model/messages/narrow.ts';
import type { Place } from '@heddle/client/model/messages/places.ts';
import { keyOf } from '@heddle/client/model/messages/places.ts';
import { type ReactNode, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { type App, useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { useFetched } from '../actions/use-fetched.ts';
import { picturesLoaded } from './pictures-loaded.ts';
import styles from './print.module.css';
import { PrintedMessages } from './printed-messages.tsx';

/** A browser takes seconds to lay out more. */
const MAX_PRINTED_MESSAGES = 1000;

interface Props {
  readonly place: Place;
  readonly onClose: () => void;
}

interface Printed {
  readonly messages: readonly Message[];
  readonly isWhole: boolean;
}

/** Loads a conversation and prints it. While it is open, the browser's own command prints the conversation too. */
export default function PrintDialog({ place, onClose }: Props): ReactNode {
  const app = useApp();
  const { value, problem } = useFetched((signal) => fetchPrinted(app, place, signal), keyOf(place));
  const [isPreparing, setPreparing] = useState(false);
  const paper = useRef<HTMLDivElement>(null);
  const print = async () => {
    if (paper.current === null) return;
    setPreparing(true);
    await picturesLoaded(paper.current);
    // The user has closed the dialog meanwhile.
    if (paper.current === null) return;
    setPreparing(false);
    window.print();
  };
  return (
    <>
      <Dialog
        title={t('Print the conversation')}
        isOpen
        onOpenChange={onClose}
        size="small"
        footer={
          <Button kind="primary" isDisabled={value === undefined} isPending={isPreparing} onPress={() => void print()}>
            {t('Print')}
          </Button>
        }
      >
        {problem !== undefined && <Banner kind="error">{problem}</Banner>}
        {value === undefined ? problem === undefined && <Skeleton count={2} /> : <p>{summaryOf(value)}</p>}
      </Dialog>
      {value !== undefined &&
        createPortal(
          <div ref={paper} className={styles.paper} data-printed>
            <PrintedMessages place={place} messages={value.messages} />
          </div>,
          document.body,
        )}
    </>
  );
}

function summaryOf({ messages: { length: count }, isWhole }: Printed): string {
  return isWhole
    ? t('{count, plural, one {# message} other {# messages}}', { count })
    : t('The newest {count, plural, one {# message} other {# messages}}', { count });
}

async function fetchPrinted({ connection, model }: App, place: Place, signal: AbortSignal): Promise<Printed> {
  const narrow = wireNarrow(narrowOfPlace(place, model.ownId));
  const newest = { anchor: 'newest', num_before: MAX_PRINTED_MESSAGES, num_after: 0, narrow } as const;
  const { messages, found_oldest: isWhole = true } = await getMessages(connection, newest, { signal });
  return { messages, isWhole };
}
