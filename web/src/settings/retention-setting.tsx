import { type ReactNode, useState } from 'react';
import { t } from '../base/i18n.ts';
import { Select } from '../design/select.tsx';
import { TextSetting } from './controls.tsx';
import { ReadOnlyValue } from './read-only.tsx';
import { SaveNote } from './save-note.tsx';
import { useSaved } from './saving.ts';
import styles from './settings.module.css';

/** Numbers of days, `unlimited`, or `realm_default` for the rule of the organization. */
export type Retention = number | 'unlimited' | 'realm_default';

const PRESETS = [30, 90, 365, 730];

/** No number and no rule: the person writes a number. */
const OWN_NUMBER = 'own';

interface RetentionSettingProps {
  readonly value: Retention;
  /** Whether it can follow the rule of the organization. */
  readonly canInherit?: boolean;
  readonly refusal: string | undefined;
  readonly save: (value: Retention) => Promise<unknown>;
}

/** When messages are deleted: a usual time, or a number of days. */
export function RetentionSetting({ value, canInherit = false, refusal, save }: RetentionSettingProps): ReactNode {
  const saved = useSaved(value, save);
  const [isWriting, setWriting] = useState(false);
  const days = typeof saved.value === 'number' && !PRESETS.includes(saved.value) ? [saved.value] : [];
  const options = [
    ...(canInherit ? [{ key: 'realm_default', label: t('As in the organization') }] : []),
    { key: 'unlimited', label: t('Never') },
    ...[...PRESETS, ...days].sort((a, b) => a - b).map((count) => ({ key: String(count), label: afterDays(count) })),
    { key: OWN_NUMBER, label: t('After another number of days…') },
  ];
  const choose = (key: string) => {
    setWriting(key === OWN_NUMBER);
    if (key !== OWN_NUMBER) saved.change(retentionOf(key));
  };
  if (refusal !== undefined) {
    return (
      <ReadOnlyValue label={t('When messages are deleted')} refusal={refusal}>
        {options.find(({ key }) => key === String(value))?.label}
      </ReadOnlyValue>
    );
  }
  return (
    <div className={styles.setting}>
      <Select
        label={t('When messages are deleted')}
        description={t('This deletes messages forever. A change takes effect after a day.')}
        options={options}
        value={isWriting ? OWN_NUMBER : String(saved.value)}
        onChange={choose}
      />
      <SaveNote action={saved.action} />
      {isWriting && (
        <TextSetting
          label={t('Days until messages are deleted')}
          type="number"
          value={typeof value === 'number' ? String(value) : ''}
          isRequired
          save={async (text) => {
            await save(Number(text));
            setWriting(false);
          }}
        />
      )}
    </div>
  );
}

function retentionOf(key: string): Retention {
  return key === 'unlimited' || key === 'realm_default' ? key : Number(key);
}

function afterDays(count: number): string {
  return t('{count, plural, one {After # day} other {After # days}}', { count });
}
