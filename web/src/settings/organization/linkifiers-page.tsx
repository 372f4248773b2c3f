import { addLinkifier, removeLinkifier, reorderLinkifiers, updateLinkifier } from '@heddle/client/calls/operations.ts';
import type { Linkifier } from '@heddle/client/calls/types.ts';
import { type ReactNode, useId, useState } from 'react';
import { t } from '../../base/i18n.ts';
import { T } from '../../base/i18n-react.tsx';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Form, FormActions, FormSection } from '../../design/form.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { EditIcon } from '../../design/icons.ts';
import { TextField } from '../../design/text-field.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { MoveButtons } from '../move-buttons.tsx';
import { useAction } from '../saving.ts';
import styles from '../settings.module.css';
import { useOrganization } from './use-organization.ts';

/** An example of the language of patterns, the same in all languages. */
const EXAMPLE = { pattern: '#(?P<id>[0-9]+)', template: 'https://github.com/example/weaver/issues/{id}' } as const;

/** Patterns that become links in messages and topics. The order decides which one matches first. */
export function LinkifiersPage(): ReactNode {
  const { model, connection, refusal } = useOrganization();
  const [edited, setEdited] = useState<Linkifier>();
  const action = useAction();
  const { linkifiers } = model.organization;
  const reason = refusal('linkifiers');
  const order = linkifiers.map(({ id }) => id);
  const reorder = (ordered_linkifier_ids: readonly number[]) =>
    void action.run(() => reorderLinkifiers(connection, { ordered_linkifier_ids }));
  return (
    <>
      <FormSection
        title={t('Linkifiers')}
        description={
          <T
            text="A text that matches a pattern becomes a link, for example <first>{pattern}</first> to <second>{template}</second>."
            values={EXAMPLE}
            parts={{ first: <code />, second: <code /> }}
          />
        }
      >
        {reason === undefined ? <AddLinkifier /> : <p className={styles.quiet}>{reason}</p>}
        {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
        {linkifiers.length === 0 && <p className={styles.quiet}>{t('There are no linkifiers.')}</p>}
        <ul className={styles.list} aria-label={t('Linkifiers')}>
          {linkifiers.map((linkifier, index) => (
            <li key={linkifier.id} className={styles.item}>
              <div className={styles.itemTexts}>
                <code className={styles.code}>{linkifier.pattern}</code>
                <div className={styles.quiet}>{linkifier.url_template}</div>
              </div>
              {reason === undefined && (
                <>
                  <MoveButtons name={linkifier.pattern} index={index} order={order} onReorder={reorder} />
                  <IconButton
                    icon={EditIcon}
                    label={t('Edit {name}', { name: linkifier.pattern })}
                    onPress={() => setEdited(linkifier)}
                  />
                  <DeleteLinkifier linkifier={linkifier} />
                </>
              )}
            </li>
          ))}
        </ul>
      </FormSection>
      {edited !== undefined && <EditLinkifier linkifier={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function DeleteLinkifier({ linkifier: { id, pattern } }: { readonly linkifier: Linkifier }): ReactNode {
  const { connection } = useOrganization();
  return (
    <ConfirmButton
      size="small"
      kind="quiet"
      label={t('Delete')}
      title={t('Delete {name}?', { name: pattern })}
      run={() => removeLinkifier(connection, { filter_id: id })}
    >
      {t('New messages do not get this link any more. Links in older messages stay.')}
    </ConfirmButton>
  );
}

interface FieldsProps {
  readonly pattern: string;
  readonly template: string;
  readonly onPattern: (pattern: string) => void;
  readonly onTemplate: (template: string) => void;
}

function Fields({ pattern, template, onPattern, onTemplate }: FieldsProps): ReactNode {
  return (
    <>
      <TextField
        label={t('Pattern')}
        value={pattern}
        onChange={onPattern}
        isRequired
        placeholder={EXAMPLE.pattern}
        description={t('A regular expression in the syntax of RE2.')}
      />
      <TextField
        label={t('URL template')}
        value={template}
        onChange={onTemplate}
        isRequired
        placeholder={EXAMPLE.template}
        description={t('Named groups of the pattern are its variables.')}
      />
    </>
  );
}

function AddLinkifier(): ReactNode {
  const { connection } = useOrganization();
  const [pattern, setPattern] = useState('');
  const [template, setTemplate] = useState('');
  const action = useAction();
  const isComplete = pattern.trim() !== '' && template.trim() !== '';
  const submit = async () => {
    const parameters = { pattern: pattern.trim(), url_template: template.trim() };
    if (!isComplete || !(await action.run(() => addLinkifier(connection, parameters)))) return;
    setPattern('');
    setTemplate('');
  };
  return (
    <Form onSubmit={submit}>
      <Fields pattern={pattern} template={template} onPattern={setPattern} onTemplate={setTemplate} />
      {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
      <FormActions>
        <Button kind="primary" type="submit" isDisabled={!isComplete} isPending={action.isPending}>
          {t('Add linkifier')}
        </Button>
      </FormActions>
    </Form>
  );
}

interface EditLinkifierProps {
  readonly linkifier: Linkifier;
  readonly onClose: () => void;
}

function EditLinkifier({ linkifier, onClose }: EditLinkifierProps): ReactNode {
  const { connection } = useOrganization();
  const formId = useId();
  const [pattern, setPattern] = useState(linkifier.pattern);
  const [template, setTemplate] = useState(linkifier.url_template);
  const action = useAction();
  const isComplete = pattern.trim() !== '' && template.trim() !== '';
  const submit = async () => {
    const parameters = { filter_id: linkifier.id, pattern: pattern.trim(), url_template: template.trim() };
    if (isComplete && (await action.run(() => updateLinkifier(connection, parameters)))) onClose();
  };
  const footer = (
    <>
      <Button onPress={onClose}>{t('Cancel')}</Button>
      <Button kind="primary" type="submit" form={formId} isDisabled={!isComplete} isPending={action.isPending}>
        {t('Save')}
      </Button>
    </>
  );
  return (
    <Dialog title={t('Edit the linkifier')} isOpen onOpenChange={(isOpen) => !isOpen && onClose()} footer={footer}>
      <Form id={formId} onSubmit={submit}>
        <Fields pattern={pattern} template={template} onPattern={setPattern} onTemplate={setTemplate} />
        {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
      </Form>
    </Dialog>
  );
}
