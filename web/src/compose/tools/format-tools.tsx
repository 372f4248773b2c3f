import { memo, type ReactNode, useCallback, useMemo, useRef } from 'react';
import { t } from '../../base/i18n.ts';
import type { Shortcut } from '../../base/keyboard.ts';
import { useShortcut } from '../../base/keyboard-react.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { BoldIcon, type Icon, ItalicIcon, LinkIcon } from '../../design/icons.ts';
import { composeShortcuts } from '../shortcuts.ts';
import type { BoxText } from '../text/box-text.ts';
import { link, type MarkdownEdit, surround, toCode } from '../text/markdown-edits.ts';

export interface Tool {
  readonly icon: Icon;
  readonly label: string;
  readonly shortcut?: Shortcut;
  readonly edit: MarkdownEdit;
}

/** The formats that have a button. Called while rendering, because the texts are in the language of the user. */
function firstFormats(): readonly Tool[] {
  return [
    { icon: BoldIcon, label: t('Bold'), shortcut: composeShortcuts.bold, edit: surround('**') },
    { icon: ItalicIcon, label: t('Italic'), shortcut: composeShortcuts.italic, edit: surround('*') },
    { icon: LinkIcon, label: t('Link'), shortcut: composeShortcuts.link, edit: linkEdit() },
  ];
}

function linkEdit(): MarkdownEdit {
  return link({ text: t('text of the link'), url: 'https://' });
}

/** Applies an edit to the selection. The user can undo it. */
export function applyEdit(text: BoxText, edit: MarkdownEdit): void {
  text.focus();
  text.apply(edit(text.value, text.selection));
}

/** The buttons that format the selection. */
export function FormatTools({ text }: { readonly text: BoxText }): ReactNode {
  useFormatShortcuts(text);
  const latest = useRef(text);
  latest.current = text;
  const run = useCallback((label: string) => {
    const tool = firstFormats().find((one) => one.label === label);
    if (tool !== undefined) applyEdit(latest.current, tool.edit);
  }, []);
  return firstFormats().map(({ icon, label, shortcut }) => (
    <ToolButton key={label} icon={icon} label={label} shortcut={shortcut} run={run} />
  ));
}

interface ToolButtonProps extends Pick<Tool, 'icon' | 'label'> {
  readonly shortcut: Shortcut | undefined;
  readonly run: (label: string) => void;
}

/** Its properties stay the same while the user writes and goes to other conversations, so it does not render then. */
const ToolButton = memo(function ToolButton({ icon, label, shortcut, run }: ToolButtonProps): ReactNode {
  return <IconButton icon={icon} label={label} onPress={() => run(label)} {...(shortcut && { shortcut })} />;
});

function useFormatShortcuts(text: BoxText): void {
  const edits = useMemo(() => ({ bold: surround('**'), italic: surround('*'), strike: surround('~~') }), []);
  const isHere = (): boolean => document.activeElement === text.element;
  const run = (edit: MarkdownEdit): boolean => {
    if (isHere()) applyEdit(text, edit);
    return isHere();
  };
  useShortcut(composeShortcuts.bold, () => run(edits.bold));
  useShortcut(composeShortcuts.italic, () => run(edits.italic));
  useShortcut(composeShortcuts.strike, () => run(edits.strike));
  useShortcut(composeShortcuts.code, () => run(toCode));
  useShortcut(composeShortcuts.link, () => run(linkEdit()));
}
