import type { StatusEmoji } from '@heddle/client/model/people/statuses.ts';
import { type ReactNode, Suspense } from 'react';
import { t } from '../base/i18n.ts';
import { lazyComponent } from '../base/load-code.ts';
import { Button } from '../design/button.tsx';
import { EmojiIcon } from '../design/icons.ts';
import { Popover } from '../design/popover.tsx';
import { Spinner } from '../design/spinner.tsx';
import { EmojiGlyph } from '../emoji/emoji-glyph.tsx';
import styles from './status.module.css';

const EmojiPicker = lazyComponent(() => import('../emoji/emoji-picker.tsx'));

interface Props {
  readonly emoji: StatusEmoji | null;
  readonly onChange: (emoji: StatusEmoji | null) => void;
}

/** Chooses the emoji of a status. */
export function StatusEmojiButton({ emoji, onChange }: Props): ReactNode {
  const label = emoji === null ? t('Choose an emoji') : t('Emoji: {name}', { name: emoji.name });
  const trigger = (
    <Button aria-label={label}>
      {emoji === null ? (
        <EmojiIcon aria-hidden="true" />
      ) : (
        <span className={styles.sign}>
          <EmojiGlyph emoji={emoji} />
        </span>
      )}
    </Button>
  );
  return (
    <Popover label={t('Emoji')} trigger={trigger} placement="bottom start" isFlush>
      {(close) => (
        <Suspense fallback={<Spinner />}>
          {emoji !== null && (
            <div className={styles.remove}>
              <Button
                size="small"
                onPress={() => {
                  onChange(null);
                  close();
                }}
              >
                {t('Remove the emoji')}
              </Button>
            </div>
          )}
          <EmojiPicker
            onPick={({ name, code, type }) => {
              onChange({ name, code, type });
              close();
            }}
          />
        </Suspense>
      )}
    </Popover>
  );
}
