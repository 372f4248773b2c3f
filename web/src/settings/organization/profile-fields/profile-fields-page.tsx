import { deleteProfileField, reorderProfileFields } from '@heddle/client/calls/operations.ts';
import type { ProfileFieldRecord } from '@heddle/client/model/people/profile-fields.ts';
import { type ReactNode, useState } from 'react';
import { t } from '../../../base/i18n.ts';
import { useChanges } from '../../../base/use-changes.ts';
import { Banner } from '../../../design/banner.tsx';
import { Button } from '../../../design/button.tsx';
import { FormSection } from '../../../design/form.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { AddIcon, EditIcon } from '../../../design/icons.ts';
import { ConfirmButton } from '../../confirm-button.tsx';
import { MoveButtons } from '../../move-buttons.tsx';
import { useAction } from '../../saving.ts';
import styles from '../../settings.module.css';
import { useOrganization } from '../use-organization.ts';
import { FieldDialog } from './field-dialog.tsx';
import { FIELD_TYPE_NAMES } from './field-form.ts';

/** What the profiles of the organization contain besides the usual. */
export function ProfileFieldsPage(): ReactNode {
  const { model, connection, refusal } = useOrganization();
  const [edited, setEdited] = useState<number | 'new'>();
  const action = useAction();
  useChanges(model.profileFields.changes);
  const { all } = model.profileFields;
  const reason = refusal('profile_fields');
  const ids = all.map(({ id }) => id);
  return (
    <FormSection title={t('Profile fields')} description={t('People fill them in, and everybody sees them.')}>
      {reason === undefined ? (
        <div>
          <Button icon={AddIcon} kind="primary" onPress={() => setEdited('new')}>
            {t('Add a profile field')}
          </Button>
        </div>
      ) : (
        <p className={styles.quiet}>{reason}</p>
      )}
      {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
      {all.length === 0 && <p className={styles.quiet}>{t('There are no profile fields.')}</p>}
      <ul className={styles.list} aria-label={t('Profile fields')}>
        {all.map((field, index) => (
          <li key={field.id} className={styles.item}>
            <div className={styles.itemTexts}>
              <div>{field.name}</div>
              <div className={styles.quiet}>{detailOf(field)}</div>
            </div>
            {reason === undefined && (
              <>
                <MoveButtons
                  name={field.name}
                  index={index}
                  order={ids}
                  onReorder={(order) => void action.run(() => reorderProfileFields(connection, { order }))}
                />
                <IconButton
                  icon={EditIcon}
                  label={t('Edit {name}', { name: field.name })}
                  onPress={() => setEdited(field.id)}
                />
                <ConfirmButton
                  size="small"
                  kind="quiet"
                  label={t('Delete')}
                  title={t('Delete {name}?', { name: field.name })}
                  run={() => deleteProfileField(connection, { field_id: field.id })}
                >
                  {t('The values of all people are deleted, too.')}
                </ConfirmButton>
              </>
            )}
          </li>
        ))}
      </ul>
      {edited !== undefined && (
        <FieldDialog field={all.find(({ id }) => id === edited)} onClose={() => setEdited(undefined)} />
      )}
    </FormSection>
  );
}

/** `Short text · on the card · only administrators change it` */
function detailOf({ type, isInSummary, isRequired, isEditableByUser }: ProfileFieldRecord): string {
  const name = FIELD_TYPE_NAMES.find(([one]) => one === type)?.[1];
  const details = [
    name !== undefined && t(name),
    isInSummary && t('on the card'),
    isRequired && t('people are asked for it'),
    !isEditableByUser && t('only administrators change it'),
  ];
  return details.filter(Boolean).join(' · ');
}
