import { Subject } from '@heddle/client/model/changes.ts';
import type { ReactNode } from 'react';
import { msg } from '../base/i18n.ts';
import { defineShortcut } from '../base/keyboard.ts';
import { useShortcut } from '../base/keyboard-react.tsx';
import { lazyPart } from '../base/lazy-part.tsx';
import { useChanges } from '../base/use-changes.ts';

const PaletteDialog = lazyPart(() => import('./palette-dialog.tsx'));

export const paletteShortcut = defineShortcut({
  id: 'palette.open',
  keys: ['Mod+K'],
  label: msg('Go to a conversation, a person or a command'),
  group: 'navigation',
});

const changes = new Subject();
let isOpen = false;

/** Opens or closes the command palette. */
export function showPalette(shows: boolean): void {
  isOpen = shows;
  changes.changed();
}

/** Shows the command palette while it is open. Mount it once. */
export function PaletteLayer(): ReactNode {
  useChanges(changes);
  useShortcut(paletteShortcut, () => showPalette(true));
  if (!isOpen) return null;
  return <PaletteDialog onClose={() => showPalette(false)} />;
}
