import type { ReactNode } from 'react';
import { useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { SoundIcon } from '../../design/icons.ts';
import { RadioGroup } from '../../design/radio-group.tsx';
import { hearSound } from '../../notifications/sounds.ts';
import { ReadOnlyValue } from '../read-only.tsx';
import { SaveNote } from '../save-note.tsx';
import { useSaved } from '../saving.ts';
import styles from '../settings.module.css';
import { useSettingsTarget } from './settings-target.ts';

/** The sound of notifications, with buttons to hear each. */
export function SoundSetting(): ReactNode {
  const { account } = useModel();
  const { settings, save, refusal } = useSettingsTarget();
  const saved = useSaved(settings.notification_sound, (notification_sound) => save({ notification_sound }));
  if (refusal !== undefined) {
    return (
      <ReadOnlyValue label={t('Sound')} refusal={refusal}>
        {nameOf(settings.notification_sound)}
      </ReadOnlyValue>
    );
  }
  const sounds = account.settings.available_notification_sounds ?? [];
  return (
    <div className={styles.setting}>
      <RadioGroup
        label={t('Sound')}
        value={saved.value}
        onChange={saved.change}
        options={[
          { value: 'none', label: t('No sound') },
          ...sounds.map((sound) => ({
            value: sound,
            label: nameOf(sound),
            action: (
              <IconButton
                icon={SoundIcon}
                size="small"
                label={t('Play “{sound}”', { sound: nameOf(sound) })}
                onPress={() => hearSound(sound)}
              />
            ),
          })),
        ]}
      />
      <SaveNote action={saved.action} />
    </div>
  );
}

function nameOf(sound: string): string {
  switch (sound) {
    case 'none':
      return t('No sound');
    case 'chime':
      return t('Chime');
    case 'ding':
      return t('Ding');
    case 'drop':
      return t('Drop');
    case 'knock':
      return t('Knock');
    case 'pluck':
      return t('Pluck');
    case 'zulip':
      return t('Shuttle');
    default:
      return sound;
  }
}
