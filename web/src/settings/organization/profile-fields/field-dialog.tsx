import { createProfileField, updateProfileField } from '@heddle/client/calls/operations.ts';
import { PROFILE_FIELD_TYPES, type ProfileFieldRecord } from '@heddle/client/model/people/profile-fields.ts';
import { type ReactNode, useId, useState } from 'react';
import { t } from '../../../base/i18n.ts';
import { Banner } from '../../../design/banner.tsx';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { Form } from '../../../design/form.tsx';
import { Select } from '../../../design/select.tsx';
import { Switch } from '../../../design/switch.tsx';
import { TextField } from '../../../design/text-field.tsx';
import { useAction } from '../../saving.ts';
import { useOrganization } from '../use-organization.ts';
import {
  CUSTOM_SERVICE,
  canBeInSummary,
  dataOf,
  emptyForm,
  FIELD_TYPE_NAMES,
  type FieldForm,
  formOf,
  hasFixedTexts,
  isComplete,
} from './field-form.ts';
import { OptionsEditor } from './options-editor.tsx';

/** The maximum lengths, in characters. */
const MAX_NAME_CHARACTERS = 40;
const MAX_HINT_CHARACTERS = 80;
/** How many fields the summaries of profiles show. */
const MAX_SUMMARIZED_FIELDS = 2;

interface FieldDialogProps {
  /** The field to change. Undefined for a new one. */
  readonly field?: ProfileFieldRecord | undefined;
  readonly onClose: () => void;
}

/** The form of a profile field. The type of an existing field is fixed. */
export function FieldDialog({ field, onClose }: FieldDialogProps): ReactNode {
  const { connection, settings } = useOrganization();
  const formId = useId();
  const action = useAction();
  const [firstService = CUSTOM_SERVICE] = Object.keys(settings.default_external_accounts);
  const [form, setForm] = useState(field === undefined ? emptyForm(firstService) : formOf(field));
  const change = (part: Partial<FieldForm>) => setForm({ ...form, ...part });
  const submit = async () => {
    if (!isComplete(form)) return;
    const parameters = {
      ...(!hasFixedTexts(form) && { name: form.name.trim(), hint: form.hint.trim() }),
      field_data: dataOf(form),
      display_in_profile_summary: form.isInSummary && canBeInSummary(form.type),
      required: form.isRequired,
      editable_by_user: form.isEditableByUser,
    };
    const request = () =>
      field === undefined
        ? createProfileField(connection, { field_type: form.type, ...parameters })
        : updateProfileField(connection, { field_id: field.id, ...parameters });
    if (await action.run(request)) onClose();
  };
  const footer = (
    <>
      <Button onPress={onClose}>{t('Cancel')}</Button>
      <Button kind="primary" type="submit" form={formId} isDisabled={!isComplete(form)} isPending={action.isPending}>
        {field === undefined ? t('Add field') : t('Save')}
      </Button>
    </>
  );
  const title = field === undefined ? t('Add a profile field') : t('Edit {name}', { name: field.name });
  return (
    <Dialog title={title} isOpen onOpenChange={(isOpen) => !isOpen && onClose()} footer={footer}>
      <Form id={formId} onSubmit={submit}>
        {field === undefined && (
          <Select
            label={t('Type')}
            options={FIELD_TYPE_NAMES.map(([type, name]) => ({ key: String(type), label: t(name) }))}
            value={String(form.type)}
            onChange={(key) => change({ type: Number(key) })}
          />
        )}
        {form.type === PROFILE_FIELD_TYPES.externalAccount && (
          <Service form={form} change={change} isNew={field === undefined} />
        )}
        {!hasFixedTexts(form) && (
          <>
            <TextField
              label={t('Name')}
              value={form.name}
              onChange={(name) => change({ name })}
              limit={MAX_NAME_CHARACTERS}
              isRequired
            />
            <TextField
              label={t('Hint')}
              value={form.hint}
              onChange={(hint) => change({ hint })}
              limit={MAX_HINT_CHARACTERS}
              description={t('It helps people to fill in the field.')}
            />
          </>
        )}
        {form.type === PROFILE_FIELD_TYPES.select && (
          <OptionsEditor options={form.options} onChange={(options) => change({ options })} />
        )}
        <Flags form={form} change={change} field={field} />
        {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
      </Form>
    </Dialog>
  );
}

interface PartProps {
  readonly form: FieldForm;
  readonly change: (part: Partial<FieldForm>) => void;
}

/** Which service the accounts belong to. */
function Service({ form, change, isNew }: PartProps & { readonly isNew: boolean }): ReactNode {
  const { settings } = useOrganization();
  const services = Object.entries(settings.default_external_accounts).map(([key, { text }]) => ({ key, label: text }));
  return (
    <>
      <Select
        label={t('Service')}
        options={[...services, { key: CUSTOM_SERVICE, label: t('Another service') }]}
        value={form.service}
        onChange={(service) => change({ service })}
        isDisabled={!isNew}
      />
      {form.service === CUSTOM_SERVICE && (
        <TextField
          label={t('URL of an account')}
          value={form.urlPattern}
          onChange={(urlPattern) => change({ urlPattern })}
          isRequired
          // not translated: an example of a URL
          placeholder="https://example.com/%(username)s"
          description={t('{variable} stands for the name of the account.', { variable: '%(username)s' })}
        />
      )}
    </>
  );
}

function Flags({ form, change, field }: PartProps & Pick<FieldDialogProps, 'field'>): ReactNode {
  const { model } = useOrganization();
  const others = model.profileFields.all.filter(({ id, isInSummary }) => isInSummary && id !== field?.id).length;
  const isFull = others >= MAX_SUMMARIZED_FIELDS;
  const isPossible = canBeInSummary(form.type);
  return (
    <>
      <Switch
        isSelected={form.isInSummary && isPossible}
        onChange={(isInSummary) => change({ isInSummary })}
        isDisabled={!isPossible || (isFull && !form.isInSummary)}
        description={summaryHint(isPossible, isFull)}
      >
        {t('Show it on the card of a person')}
      </Switch>
      <Switch isSelected={form.isRequired} onChange={(isRequired) => change({ isRequired })}>
        {t('Ask people to fill it in')}
      </Switch>
      <Switch isSelected={form.isEditableByUser} onChange={(isEditableByUser) => change({ isEditableByUser })}>
        {t('People can change their own value')}
      </Switch>
    </>
  );
}

function summaryHint(isPossible: boolean, isFull: boolean): string | undefined {
  if (!isPossible) return t('Fields of this type are too long for the card.');
  return isFull ? t('The card shows at most two fields.') : undefined;
}
