import type { StatusEmoji } from '@heddle/client/model/statuses.ts';
import type { ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { EmojiIcon } from '../design/icons.ts';
import { Popover } from '../design/popover.tsx';
import { useModel } from '../shell/app.tsx';
import { t } from '../shell/i18n.ts';
import { EmojiSign } from './emoji-sign.tsx';
import styles from './status.module.css';
import { STATUS_EMOJI } from './status-choices.ts';

interface Props {
  readonly emoji: StatusEmoji | null;
  readonly onChange: (emoji: StatusEmoji | null) => void;
}

/** Chooses the emoji of a status: common ones, and those of the organization. */
export function StatusEmojiButton({ emoji, onChange }: Props): ReactNode {
  const label = emoji === null ? t('Choose an emoji') : t('Emoji: {name}', { name: emoji.name });
  const trigger = (
    <Button aria-label={label}>
      {emoji === null ? <EmojiIcon aria-hidden="true" /> : <EmojiSign emoji={emoji} />}
    </Button>
  );
  return (
    <Popover label={t('Emoji')} trigger={trigger} placement="bottom start">
      {(close) => (
        <Choices
          emoji={emoji}
          onChange={(chosen) => {
            onChange(chosen);
            close();
          }}
        />
      )}
    </Popover>
  );
}

function Choices({ emoji, onChange }: Props): ReactNode {
  const model = useModel();
  const custom = [...model.emoji.active.values()].map(
    ({ id, name }): StatusEmoji => ({ name, code: id, type: 'realm_emoji' }),
  );
  return (
    <div className={styles.choices}>
      <ul className={styles.grid}>
        {[...STATUS_EMOJI, ...custom].map((choice) => (
          <li key={`${choice.type}${choice.code}`}>
            <button
              type="button"
              className={styles.choice}
              aria-label={choice.name}
              aria-pressed={emoji !== null && choice.code === emoji.code && choice.type === emoji.type}
              title={`:${choice.name}:`}
              onClick={() => onChange(choice)}
            >
              <EmojiSign emoji={choice} />
            </button>
          </li>
        ))}
      </ul>
      {emoji !== null && (
        <Button size="small" onPress={() => onChange(null)}>
          {t('Remove the emoji')}
        </Button>
      )}
    </div>
  );
}
