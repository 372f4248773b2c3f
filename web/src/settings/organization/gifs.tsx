import { type UpdateGifPickerParameters, updateGifPicker } from '@heddle/client/calls/operations.ts';
import type { GifRating } from '@heddle/client/calls/types.ts';
import { type ReactNode, useState } from 'react';
import { msg, t } from '../../base/i18n.ts';
import { Button } from '../../design/button.tsx';
import { Form, FormSection } from '../../design/form.tsx';
import { Select } from '../../design/select.tsx';
import { TextField } from '../../design/text-field.tsx';
import { SelectSetting } from '../controls.tsx';
import { ReadOnlyValue } from '../read-only.tsx';
import { SaveNote } from '../save-note.tsx';
import { useAction } from '../saving.ts';
import styles from '../settings.module.css';
import { useOrganization } from './use-organization.ts';

type ServiceOrNone = NonNullable<UpdateGifPickerParameters['service']>;

const NAMES = { giphy: 'Giphy', tenor: 'Tenor' } as const; // not translated: names

/** The server refuses longer ones. */
const MAX_KEY_LENGTH = 200;

/** As services define them: who should see the GIFs. */
const RATINGS = [
  ['g', msg('Everybody (G)')],
  ['pg', msg('Children with guidance (PG)')],
  ['pg-13', msg('From 13 years (PG-13)')],
  ['r', msg('From 17 years (R)')],
] as const;

/** Where GIFs come from. */
export function Gifs(): ReactNode {
  const { connection, settings, refusal } = useOrganization();
  const picker = settings.gif_picker ?? undefined;
  const reason = refusal('gif_picker');
  const ratings = RATINGS.map(([key, label]) => ({ key, label: t(label) }));
  return (
    <FormSection title={t('GIFs')}>
      {reason === undefined ? (
        <Service saved={picker?.service ?? 'none'} />
      ) : (
        <ReadOnlyValue label={t('Service for GIFs')} refusal={reason}>
          {picker === undefined ? t('No GIFs') : NAMES[picker.service]}
        </ReadOnlyValue>
      )}
      {picker !== undefined && (
        <SelectSetting<GifRating>
          label={t('GIFs are suitable for')}
          value={picker.rating}
          options={ratings}
          refusal={reason}
          save={(rating) => updateGifPicker(connection, { rating })}
        />
      )}
    </FormSection>
  );
}

/** A service needs a key, so it is saved with one. Without a service, nothing is asked. */
function Service({ saved }: { readonly saved: ServiceOrNone }): ReactNode {
  const { connection } = useOrganization();
  const action = useAction();
  const [wanted, setWanted] = useState<ServiceOrNone>();
  const [key, setKey] = useState('');
  // The event about the change has arrived.
  if (wanted === saved) setWanted(undefined);
  const service = wanted ?? saved;
  const choose = (next: ServiceOrNone): void => {
    setKey('');
    setWanted(next === saved ? undefined : next);
    if (next === 'none' && saved !== 'none') void save({ service: next });
  };
  const save = async (change: UpdateGifPickerParameters): Promise<void> => {
    const isSaved = await action.run(() => updateGifPicker(connection, change));
    if (isSaved) setKey('');
    // A refused key stays in the field, and its service stays chosen.
    else if (change.service === 'none') setWanted(undefined);
  };
  const isPossible = key.trim() !== '' && key.length <= MAX_KEY_LENGTH;
  const submit = (): void => {
    if (isPossible && service !== 'none') void save({ service, api_key: key.trim() });
  };
  return (
    <div className={styles.setting}>
      <Select
        label={t('Service for GIFs')}
        description={t(
          'The server asks the service and loads its pictures. Browsers do not. The terms of the service apply.',
        )}
        options={[
          { key: 'none', label: t('No GIFs') },
          { key: 'giphy', label: NAMES.giphy },
          { key: 'tenor', label: NAMES.tenor },
        ]}
        value={service}
        onChange={choose}
      />
      {service !== 'none' && (
        <Form onSubmit={submit}>
          <TextField
            label={t('Key at {service}', { service: NAMES[service] })}
            description={
              service === saved
                ? t('A key is set. Nobody can read it. Another one replaces it.')
                : t('The service gives it to developers. Nobody can read it here.')
            }
            type="password"
            autoComplete="off"
            value={key}
            onChange={setKey}
            limit={MAX_KEY_LENGTH}
          />
          {(service !== saved || key !== '') && (
            <div className={styles.draftActions}>
              <Button size="small" onPress={() => choose(saved)}>
                {t('Cancel')}
              </Button>
              <Button size="small" kind="primary" type="submit" isDisabled={!isPossible} isPending={action.isPending}>
                {t('Save')}
              </Button>
            </div>
          )}
        </Form>
      )}
      <SaveNote action={action} />
    </div>
  );
}
