import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { useApp } from '../../shell/app.tsx';
import { useChanges } from '../../shell/use-changes.ts';
import { pickerStore } from './picker-store.ts';
import { toggleReaction } from './toggle-reaction.ts';

const EmojiPopover = lazy(async () => ({ default: (await import('../../emoji/emoji-picker.tsx')).EmojiPopover }));

/** The picker of reactions, for all messages. */
export function ReactionPicker(): ReactNode {
  const app = useApp();
  useChanges(pickerStore.changes);
  const { opened } = pickerStore;
  const anchor = opened?.anchor ?? null;
  const anchorRef = useMemo(() => ({ current: anchor }), [anchor]);
  if (opened === undefined) return null;
  return (
    <Suspense fallback={null}>
      <EmojiPopover
        isOpen
        onOpenChange={(isOpen) => !isOpen && pickerStore.set(undefined)}
        triggerRef={anchorRef}
        onPick={(emoji) => void toggleReaction(app, opened.messageId, emoji)}
      />
    </Suspense>
  );
}
