import { getWebPushDevices, removeWebPushDevice } from '@heddle/client/calls/operations.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatDateTime } from '../../base/i18n-formats.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { FormSection, SettingRow } from '../../design/form.tsx';
import { Spinner } from '../../design/spinner.tsx';
import { InstallSteps } from '../../notifications/install-steps.tsx';
import { notificationPermission } from '../../notifications/permission.ts';
import { pushDevice } from '../../notifications/push-device.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { SwitchSetting } from '../controls.tsx';
import { SaveNote } from '../save-note.tsx';
import { useAction } from '../saving.ts';
import styles from '../settings.module.css';
import { useLoaded } from '../use-loaded.ts';
import { browserName } from './browser-name.ts';

type Device = Awaited<ReturnType<typeof getWebPushDevices>>['devices'][number];

/** The browsers that the server notifies, and what this one does. */
export function DevicesSection(): ReactNode {
  const { connection } = useApp();
  useChanges(pushDevice.changes);
  const { isOn, showsText } = pushDevice;
  const key = `${isOn} ${showsText}`;
  const { value, problem, reload } = useLoaded(key, async () => (await getWebPushDevices(connection)).devices);
  return (
    <FormSection
      title={t('Notified devices')}
      description={t('Browsers that notify you also while Heddle is closed: at most ten, those that you used last.')}
    >
      <ThisBrowser />
      {problem !== undefined && <Banner kind="error">{problem}</Banner>}
      {value === undefined && problem === undefined && <Spinner label={t('Loading devices')} />}
      {value !== undefined && value.length > 0 && (
        <ul className={styles.list} aria-label={t('Notified devices')}>
          {value.map((one) => (
            <Row key={one.device_id} device={one} onRemoved={reload} />
          ))}
        </ul>
      )}
    </FormSection>
  );
}

function ThisBrowser(): ReactNode {
  const app = useApp();
  useChanges(notificationPermission.changes);
  useChanges(app.model.organization.changes);
  const action = useAction();
  if (notificationPermission.needsInstall) return <NeedsInstall />;
  if (!pushDevice.canBeOn(app)) {
    return <p className={styles.quiet}>{t('This browser can notify you only while Heddle is open.')}</p>;
  }
  if (pushDevice.isOn) {
    const isTextAllowed = app.model.organization.settings.message_content_allowed_in_web_push;
    return (
      <SwitchSetting
        label={t('Show the text of messages on this device')}
        description={t('The service that delivers notifications cannot read it in either case.')}
        value={isTextAllowed && pushDevice.showsText}
        refusal={isTextAllowed ? undefined : t('Your organization does not allow the text.')}
        save={(showsText) => pushDevice.showText(app, showsText)}
      />
    );
  }
  // Another part of the page says how to allow it.
  const isDenied = Notification.permission === 'denied';
  return (
    <div>
      <SettingRow label={t('This browser notifies you only while Heddle is open.')}>
        <Button
          isDisabled={isDenied}
          isPending={action.isPending}
          onPress={() => void action.run(() => pushDevice.turnOn(app))}
        >
          {t('Notify me always')}
        </Button>
      </SettingRow>
      <SaveNote action={action} doneText="" />
    </div>
  );
}

/** On a phone of Apple, only the installed app can notify. */
function NeedsInstall(): ReactNode {
  const [showsSteps, setShowsSteps] = useState(false);
  return (
    <>
      <SettingRow label={t('Heddle can notify you on this device when it is installed.')}>
        <Button onPress={() => setShowsSteps(true)}>{t('Show how')}</Button>
      </SettingRow>
      {showsSteps && <InstallSteps onClose={() => setShowsSteps(false)} />}
    </>
  );
}

function Row({ device, onRemoved }: { readonly device: Device; readonly onRemoved: () => void }): ReactNode {
  const app = useApp();
  const name = browserName(device);
  const remove = async () => {
    if (device.is_current) await pushDevice.turnOff(app);
    else await removeWebPushDevice(app.connection, { device_id: device.device_id });
    onRemoved();
  };
  const { last_notified_at: notifiedAt, last_used_at: usedAt } = device;
  return (
    <li className={styles.item}>
      <div className={styles.itemTexts}>
        <div>
          {name}
          {device.is_current && <strong> · {t('This browser')}</strong>}
        </div>
        <div className={styles.quiet}>
          {notifiedAt === null
            ? t('Last used {date}, not notified yet', { date: dateOf(usedAt) })
            : t('Last used {date}, last notified {notified}', { date: dateOf(usedAt), notified: dateOf(notifiedAt) })}
        </div>
        {!device.shows_text && <div className={styles.quiet}>{t('Without the text of messages')}</div>}
      </div>
      <ConfirmButton
        size="small"
        kind="quiet"
        label={t('Remove')}
        title={t('Remove {name}?', { name })}
        run={remove}
        isDanger={false}
      >
        {t('It stays logged in, and notifies you again when you turn it on there.')}
      </ConfirmButton>
    </li>
  );
}

function dateOf(seconds: number): string {
  return formatDateTime(new Date(seconds * 1000));
}
