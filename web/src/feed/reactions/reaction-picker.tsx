import { type ReactNode, useMemo } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { lazyPart } from '../../base/lazy-part.tsx';
import { useChanges } from '../../base/use-changes.ts';
import { Sheet } from '../../design/sheet.tsx';
import type { Emoji } from '../../emoji/emoji.ts';
import { pickerStore } from './picker-store.ts';
import { toggleReaction } from './toggle-reaction.ts';

const EmojiPicker = lazyPart(() => import('../../emoji/emoji-picker.tsx'));
const EmojiPopover = lazyPart(async () => ({ default: (await import('../../emoji/emoji-picker.tsx')).EmojiPopover }));

/** Where a popover would cover its message anyway. */
const NARROW = '(max-width: 40rem)';

/** The picker of reactions, for all messages. On phones it is a sheet. */
export function ReactionPicker(): ReactNode {
  const app = useApp();
  useChanges(pickerStore.changes);
  const { opened } = pickerStore;
  const anchor = opened?.anchor ?? null;
  const anchorRef = useMemo(() => ({ current: anchor }), [anchor]);
  if (opened === undefined) return null;
  const close = () => pickerStore.set(undefined);
  const react = (emoji: Emoji) => void toggleReaction(app, opened.messageId, emoji, true);
  if (window.matchMedia(NARROW).matches) {
    return (
      <Sheet title={t('Add a reaction')} isOpen onOpenChange={close}>
        <EmojiPicker
          onPick={(emoji, staysOpen) => {
            if (!staysOpen) close();
            react(emoji);
          }}
        />
      </Sheet>
    );
  }
  return <EmojiPopover isOpen onOpenChange={(isOpen) => !isOpen && close()} triggerRef={anchorRef} onPick={react} />;
}
