import type { ReactNode } from 'react';
import { t } from '../base/i18n.ts';
import type { Emoji } from './emoji.ts';
import { EmojiGlyph } from './emoji-glyph.tsx';
import styles from './emoji-picker.module.css';

const TONES = ['✋', '✋🏻', '✋🏼', '✋🏽', '✋🏾', '✋🏿'] as const;

interface Props {
  readonly emoji: Emoji | undefined;
  readonly label: string | undefined;
  /** The index of the chosen skin tone. Undefined: none. */
  readonly tone?: number | undefined;
  /** Without it, there are no tones to choose. */
  readonly onTone?: (tone: number | undefined) => void;
}

/** Names the emoji that Enter would choose, and offers skin tones. */
export function PickerFooter({ emoji, label, tone, onTone }: Props): ReactNode {
  return (
    <div className={styles.footer}>
      {emoji !== undefined && (
        <span className={styles.preview}>
          <span className={styles.large}>
            <EmojiGlyph emoji={emoji} />
          </span>
          <span className={styles.names}>
            <span className={styles.label}>{label ?? emoji.name}</span>
            <span className={styles.name}>:{emoji.name}:</span>
          </span>
        </span>
      )}
      {onTone && (
        <label className={styles.tones}>
          <span className={styles.tonesLabel}>{t('Skin tone')}</span>
          <select value={tone ?? -1} onChange={({ target }) => onTone(toneOf(Number(target.value)))}>
            {TONES.map((hand, index) => (
              <option key={hand} value={index - 1} aria-label={toneName(index - 1)}>
                {hand}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

function toneOf(value: number): number | undefined {
  return value < 0 ? undefined : value;
}

function toneName(tone: number): string {
  const names = [t('Light'), t('Medium light'), t('Medium'), t('Medium dark'), t('Dark')];
  return names[tone] ?? t('No skin tone');
}
