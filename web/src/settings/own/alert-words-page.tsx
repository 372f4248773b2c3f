import { addAlertWords, removeAlertWords } from '@heddle/client/calls/operations.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Form, FormSection } from '../../design/form.tsx';
import { TextField } from '../../design/text-field.tsx';
import { useAction } from '../saving.ts';
import styles from '../settings.module.css';

/** Words that notify the user like a mention. */
export function AlertWordsPage(): ReactNode {
  const { model, connection } = useApp();
  const [word, setWord] = useState('');
  const action = useAction();
  useChanges(model.alertWords.changes);
  const add = async () => {
    const text = word.trim();
    if (text === '' || !(await action.run(() => addAlertWords(connection, { alert_words: [text] })))) return;
    // The user can have typed more meanwhile.
    setWord((now) => (now === word ? '' : now));
  };
  return (
    <FormSection title={t('Alert words')} description={t('A message with one of these words notifies you.')}>
      <Form onSubmit={add}>
        <div className={styles.bar}>
          <TextField label={t('New word')} value={word} onChange={setWord} />
          <Button type="submit" isDisabled={word.trim() === ''} isPending={action.isPending}>
            {t('Add')}
          </Button>
        </div>
        {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
      </Form>
      <ul className={styles.list} aria-label={t('Alert words')}>
        {model.alertWords.words.map((one) => (
          <li key={one} className={styles.item}>
            <span className={styles.itemTexts}>{one}</span>
            <Button
              size="small"
              kind="quiet"
              aria-label={t('Remove {name}', { name: one })}
              onPress={() => void action.run(() => removeAlertWords(connection, { alert_words: [one] }))}
            >
              {t('Remove')}
            </Button>
          </li>
        ))}
      </ul>
    </FormSection>
  );
}
