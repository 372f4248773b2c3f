import { addPlayground, removePlayground } from '@heddle/client/calls/operations.ts';
import { type ReactNode, useState } from 'react';
import { t } from '../../base/i18n.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Form, FormActions, FormSection } from '../../design/form.tsx';
import { TextField } from '../../design/text-field.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { useAction } from '../saving.ts';
import styles from '../settings.module.css';
import { languageName } from './code-languages.ts';
import { LanguageField } from './language-field.tsx';
import { useOrganization } from './use-organization.ts';

/** Websites in which readers can open the code of a message. */
export function PlaygroundsPage(): ReactNode {
  const { model, connection, refusal } = useOrganization();
  const { playgrounds } = model.organization;
  const reason = refusal('playgrounds');
  return (
    <FormSection
      title={t('Code playgrounds')}
      description={t('Blocks of code get a button that opens the code on this website.')}
    >
      {reason === undefined ? <AddPlayground /> : <p className={styles.quiet}>{reason}</p>}
      {playgrounds.length === 0 && <p className={styles.quiet}>{t('There are no code playgrounds.')}</p>}
      <ul className={styles.list} aria-label={t('Code playgrounds')}>
        {playgrounds.map(({ id, name, pygments_language: language, url_template: template }) => (
          <li key={id} className={styles.item}>
            <div className={styles.itemTexts}>
              <div>
                {name} · {language}
              </div>
              <div className={styles.quiet}>{template}</div>
            </div>
            {reason === undefined && (
              <ConfirmButton
                size="small"
                kind="quiet"
                label={t('Delete')}
                title={t('Delete {name}?', { name })}
                run={() => removePlayground(connection, { playground_id: id })}
              >
                {t('The button disappears from all messages.')}
              </ConfirmButton>
            )}
          </li>
        ))}
      </ul>
    </FormSection>
  );
}

function AddPlayground(): ReactNode {
  const { connection } = useOrganization();
  const [language, setLanguage] = useState('');
  const [name, setName] = useState('');
  const [template, setTemplate] = useState('');
  const action = useAction();
  const isComplete = [language, name, template].every((text) => text.trim() !== '');
  const submit = async () => {
    const parameters = {
      name: name.trim(),
      pygments_language: languageName(language),
      url_template: template.trim(),
    };
    if (!isComplete || !(await action.run(() => addPlayground(connection, parameters)))) return;
    setLanguage('');
    setName('');
    setTemplate('');
  };
  return (
    <Form onSubmit={submit}>
      <LanguageField label={t('Language of the code')} value={language} onChange={setLanguage} />
      <TextField label={t('Name')} value={name} onChange={setName} isRequired />
      <TextField
        label={t('URL template')}
        value={template}
        onChange={setTemplate}
        isRequired
        // not translated: an example of a URL
        placeholder="https://play.example.com/?code={code}"
        description={t('The variable {variable} is the code.', { variable: '{code}' })}
      />
      {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
      <FormActions>
        <Button kind="primary" type="submit" isDisabled={!isComplete} isPending={action.isPending}>
          {t('Add playground')}
        </Button>
      </FormActions>
    </Form>
  );
}
