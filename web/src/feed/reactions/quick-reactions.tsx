import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useApp } from '../../base/app.tsx';
import { msg, t } from '../../base/i18n.ts';
import { ariaKeysOf, defineShortcut } from '../../base/keyboard.ts';
import { Tooltip } from '../../design/tooltip.tsx';
import { type Emoji, keyOfEmoji } from '../../emoji/emoji.ts';
import { EmojiGlyph } from '../../emoji/emoji-glyph.tsx';
import { frequentEmoji } from '../../emoji/recent-emoji.ts';
import styles from './quick-reactions.module.css';
import { hasReacted, toggleReaction } from './toggle-reaction.ts';

const common = { group: 'message', scope: 'feed' } as const;

/** One for each button. */
export const quickReactionShortcuts = [
  defineShortcut({ id: 'message.react-1', keys: ['1'], label: msg('React with your most frequent emoji'), ...common }),
  defineShortcut({ id: 'message.react-2', keys: ['2'], label: msg('React with your second emoji'), ...common }),
  defineShortcut({ id: 'message.react-3', keys: ['3'], label: msg('React with your third emoji'), ...common }),
] as const;

let latest: { readonly messageId: number; readonly emoji: readonly Emoji[] } | undefined;

/** The emoji with which the user reacts most. While they react to one message, keys and buttons keep their meaning. */
export function quickReactions(userId: number, messageId: number): readonly Emoji[] {
  if (latest?.messageId !== messageId) {
    latest = { messageId, emoji: frequentEmoji(userId, quickReactionShortcuts.length) };
  }
  return latest.emoji;
}

/** A button for each of them. They keep their places while the pointer is on the message. */
export function QuickReactions({ record }: { readonly record: MessageRecord }): ReactNode {
  const app = useApp();
  const [emoji] = useState(() => quickReactions(app.model.ownId, record.id));
  return emoji.map((one, index) => {
    const shortcut = quickReactionShortcuts[index];
    const label = t('React with :{emoji}:', { emoji: one.name });
    return (
      <Tooltip key={keyOfEmoji(one)} text={label} {...(shortcut && { shortcut })}>
        <Button
          className={styles.reaction ?? ''}
          aria-label={label}
          aria-pressed={hasReacted(app, record.id, one)}
          {...(shortcut && { 'aria-keyshortcuts': ariaKeysOf(shortcut) })}
          onPress={() => void toggleReaction(app, record.id, one)}
        >
          <EmojiGlyph emoji={one} />
        </Button>
      </Tooltip>
    );
  });
}
