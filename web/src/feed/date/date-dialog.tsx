import type { Narrow } from '@heddle/client/model/messages/narrow.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { Banner } from '../../design/banner.tsx';
import { Calendar } from '../../design/calendar.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { routeOfNarrow } from '../../shown/names.ts';
import { problemText } from '../../shown/problem-text.ts';

interface Props {
  readonly narrow: Narrow;
  readonly onClose: () => void;
}

/** Leads to the first message of a day. If there is none since then, it leads to the newest message. */
export default function DateDialog({ narrow, onClose }: Props): ReactNode {
  const { model, navigation } = useApp();
  const [isLooking, setLooking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const go = async (day: Date) => {
    setLooking(true);
    setProblem(undefined);
    try {
      const id = await model.cache.firstSince(narrow, day);
      if (id === undefined) {
        setLooking(false);
        return setProblem(t('There are no messages here yet.'));
      }
      onClose();
      navigation.go(routeOfNarrow([...narrow, { operator: 'near', operand: id }]));
    } catch (error) {
      setLooking(false);
      setProblem(t('The day could not be opened. {problem}', { problem: problemText(error) }));
    }
  };
  return (
    <Dialog title={t('Go to a date')} isOpen onOpenChange={onClose} size="small" isDismissable>
      {problem !== undefined && <Banner kind="error">{problem}</Banner>}
      <Calendar
        label={t('The day of the messages')}
        onChange={(day) => void go(day)}
        isDisabled={isLooking}
        isPast
        autoFocus
      />
    </Dialog>
  );
}
