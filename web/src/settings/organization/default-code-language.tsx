import { type ReactNode, useState } from 'react';
import { t } from '../../base/i18n.ts';
import { Button } from '../../design/button.tsx';
import { Form } from '../../design/form.tsx';
import { ReadOnlyValue } from '../read-only.tsx';
import { SaveNote } from '../save-note.tsx';
import { useAction } from '../saving.ts';
import styles from '../settings.module.css';
import { languageName } from './code-languages.ts';
import { LanguageField } from './language-field.tsx';
import { useOrganization } from './use-organization.ts';

/** The language of blocks of code for which the author names none. */
export function DefaultCodeLanguage(): ReactNode {
  const { settings, update, refusal } = useOrganization();
  const saved = settings.default_code_block_language;
  const [draft, setDraft] = useState<string>();
  const action = useAction();
  const isChanged = draft !== undefined && draft.trim() !== saved;
  const reason = refusal('default_code_block_language');
  const submit = async () => {
    if (draft === undefined) return;
    const change = { default_code_block_language: languageName(draft) };
    if (await action.run(() => update(change))) setDraft(undefined);
  };
  if (reason !== undefined) {
    return (
      <ReadOnlyValue label={t('Language of blocks of code')} refusal={reason}>
        {saved === '' ? t('None') : saved}
      </ReadOnlyValue>
    );
  }
  return (
    <div className={styles.setting}>
      <Form onSubmit={submit}>
        <LanguageField
          label={t('Language of blocks of code')}
          description={t('It applies if the author names no language. Leave it empty for none.')}
          value={draft ?? saved}
          onChange={setDraft}
        />
        {isChanged && (
          <div className={styles.draftActions}>
            <Button size="small" onPress={() => setDraft(undefined)}>
              {t('Cancel')}
            </Button>
            <Button size="small" kind="primary" type="submit" isPending={action.isPending}>
              {t('Save')}
            </Button>
          </div>
        )}
      </Form>
      <SaveNote action={action} />
    </div>
  );
}
