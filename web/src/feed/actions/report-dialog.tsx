import { type ReportMessageParameters, reportMessage } from '@heddle/client/calls/operations.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { RadioGroup } from '../../design/radio-group.tsx';
import { TextArea } from '../../design/text-field.tsx';
import { useRequest } from '../../shown/use-request.ts';
import type { MessageDialogProps } from './dialog-props.ts';
import styles from './dialogs.module.css';

type ReportType = ReportMessageParameters['report_type'];

/** The limit of the server. */
const MAX_DESCRIPTION_CHARACTERS = 1_000;

/** Reports a message to the moderators. */
export default function ReportDialog({ record, onClose }: MessageDialogProps): ReactNode {
  const { connection } = useApp();
  const [type, setType] = useState<ReportType>('spam');
  const [description, setDescription] = useState('');
  const { isPending, problem, setProblem, send } = useRequest();
  const report = async () => {
    if (type === 'other' && description.trim() === '') {
      setProblem(t('Describe the problem, so that the moderators understand it.'));
      return;
    }
    const parameters = { message_id: record.id, report_type: type, description: description.trim() };
    if (!(await send(() => reportMessage(connection, parameters)))) return;
    toasts.show({ text: t('The moderators have your report.') });
    onClose();
  };
  return (
    <Dialog
      title={t('Report this message')}
      isOpen
      onOpenChange={onClose}
      size="small"
      footer={
        <>
          <Button onPress={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" onPress={() => void report()} isPending={isPending}>
            {t('Report')}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        <RadioGroup
          label={t('What is wrong with it?')}
          description={t('Only the moderators learn of your report.')}
          value={type}
          onChange={setType}
          options={[
            { value: 'spam', label: t('Spam') },
            { value: 'harassment', label: t('Harassment') },
            { value: 'inappropriate', label: t('Inappropriate content') },
            { value: 'norms', label: t('It violates our rules') },
            { value: 'other', label: t('Something else') },
          ]}
        />
        <TextArea
          label={type === 'other' ? t('Description') : t('Description (optional)')}
          value={description}
          onChange={setDescription}
          limit={MAX_DESCRIPTION_CHARACTERS}
        />
        {problem !== undefined && <Banner kind="error">{problem}</Banner>}
      </div>
    </Dialog>
  );
}
