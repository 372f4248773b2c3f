import { updateQuietHours, updateSettings } from '@heddle/client/calls/operations.ts';
import type { QuietWindow } from '@heddle/client/calls/types.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChanges } from '../../base/use-changes.ts';
import { useKept } from '../../base/use-kept.ts';
import { Button } from '../../design/button.tsx';
import { FormActions, FormSection, SettingRow } from '../../design/form.tsx';
import { AddIcon } from '../../design/icons.ts';
import { openQuietDialog } from '../../people/people-store.ts';
import { resume } from '../../people/quiet-commands.ts';
import { endText, quietStore } from '../../people/quiet-store.ts';
import { SwitchSetting } from '../controls.tsx';
import { SaveNote } from '../save-note.tsx';
import { useAction } from '../saving.ts';
import { QuietWindowFields } from './quiet-window-fields.tsx';

/** The server stores as many. */
const MAX_QUIET_WINDOWS = 7;
/** From ten in the evening to seven in the morning, every day. */
const USUAL_NIGHT: QuietWindow = { days: [1, 2, 3, 4, 5, 6, 7], from: 22 * 60, to: 7 * 60 };

/** When nothing notifies the user: a pause now, and the hours of every week. */
export function QuietHoursSection(): ReactNode {
  const { model, connection } = useApp();
  const { account } = model;
  useChanges(account.changes);
  if (account.quietHours === undefined) return null;
  return (
    <FormSection
      title={t('Quiet hours')}
      description={t('Then nothing notifies you here or on phones. Mails about missed messages wait for the end.')}
    >
      <Pause />
      <SwitchSetting
        label={t('Direct messages still notify me')}
        value={account.quietHours.except_direct_messages}
        save={(except_direct_messages) => updateQuietHours(connection, { except_direct_messages })}
      />
      <Schedule />
    </FormSection>
  );
}

/** Whether notifications are paused now. */
function Pause(): ReactNode {
  const app = useApp();
  useChanges(quietStore.changes);
  const action = useAction();
  const { until } = quietStore;
  return (
    <div>
      <SettingRow
        label={
          until === null
            ? t('Notifications are on.')
            : t('Notifications are paused until {time}.', { time: endText(until) })
        }
      >
        {until === null ? (
          <Button onPress={openQuietDialog}>{t('Pause…')}</Button>
        ) : (
          <Button isPending={action.isPending} onPress={() => void action.run(() => resume(app))}>
            {t('Resume')}
          </Button>
        )}
      </SettingRow>
      <SaveNote action={action} doneText="" />
    </div>
  );
}

/** The hours of every week. They are saved together. */
function Schedule(): ReactNode {
  const { model, connection } = useApp();
  const { quietHours, settings } = model.account;
  // As JSON, because texts are kept while the user is elsewhere.
  const [draft, setDraft, endDraft] = useKept('quiet hours', undefined);
  const action = useAction();
  const windows = draft === undefined ? (quietHours?.schedule ?? []) : (JSON.parse(draft) as readonly QuietWindow[]);
  const change = (next: readonly QuietWindow[]) => setDraft(JSON.stringify(next));
  const isComplete = windows.every(({ days }) => days.length > 0);
  const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = settings.timezone === '' ? browserZone : settings.timezone;
  const save = async () => {
    const isSaved = await action.run(async () => {
      // Without a zone, the server would take the times for UTC.
      if (settings.timezone === '' && windows.length > 0) await updateSettings(connection, { timezone: browserZone });
      await updateQuietHours(connection, { schedule: windows });
    });
    if (isSaved) endDraft(draft);
  };
  const replace = (index: number, ...by: readonly QuietWindow[]) => change(windows.toSpliced(index, 1, ...by));
  return (
    <>
      {windows.map((window, index) => (
        <QuietWindowFields
          // biome-ignore lint/suspicious/noArrayIndexKey: windows have no other identity.
          key={index}
          number={index + 1}
          window={window}
          onChange={(next) => replace(index, next)}
          onRemove={() => replace(index)}
        />
      ))}
      {windows.length > 0 && <p>{t('The times are those of {zone}, as in your profile.', { zone })}</p>}
      <FormActions>
        {windows.length < MAX_QUIET_WINDOWS && (
          <Button icon={AddIcon} onPress={() => change([...windows, USUAL_NIGHT])}>
            {t('Add hours of every week')}
          </Button>
        )}
        {draft !== undefined && (
          <>
            <Button onPress={() => endDraft()}>{t('Cancel')}</Button>
            <Button kind="primary" isDisabled={!isComplete} isPending={action.isPending} onPress={() => void save()}>
              {t('Save')}
            </Button>
          </>
        )}
      </FormActions>
      <SaveNote action={action} />
    </>
  );
}
