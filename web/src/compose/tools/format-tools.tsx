import { memo, type ReactNode, useCallback, useMemo, useRef } from 'react';
import { t } from '../../base/i18n.ts';
import type { Shortcut } from '../../base/keyboard.ts';
import { useShortcut } from '../../base/keyboard-react.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import {
  BoldIcon,
  CodeIcon,
  FormulaIcon,
  HeadingIcon,
  type Icon,
  ItalicIcon,
  LinkIcon,
  ListIcon,
  NumberedListIcon,
  QuoteIcon,
  SpoilerIcon,
  StrikeIcon,
} from '../../design/icons.ts';
import { MenuItem, MoreMenu } from '../../design/menu.tsx';
import { composeShortcuts } from '../shortcuts.ts';
import type { BoxText } from '../text/box-text.ts';
import {
  link,
  type MarkdownEdit,
  spoiler,
  surround,
  toBullets,
  toCode,
  toFormula,
  toNumbers,
  toQuote,
} from '../text/markdown-edits.ts';

interface Tool {
  readonly icon: Icon;
  readonly label: string;
  readonly shortcut?: Shortcut;
  readonly edit: MarkdownEdit;
}

/** Called while rendering, because the texts are in the language of the user. */
function toolsNow(): readonly Tool[] {
  const placeholders = { text: t('text of the link'), url: 'https://' };
  return [
    { icon: BoldIcon, label: t('Bold'), shortcut: composeShortcuts.bold, edit: surround('**') },
    { icon: ItalicIcon, label: t('Italic'), shortcut: composeShortcuts.italic, edit: surround('*') },
    { icon: StrikeIcon, label: t('Strikethrough'), shortcut: composeShortcuts.strike, edit: surround('~~') },
    { icon: LinkIcon, label: t('Link'), shortcut: composeShortcuts.link, edit: link(placeholders) },
    { icon: ListIcon, label: t('List'), edit: toBullets },
    { icon: NumberedListIcon, label: t('Numbered list'), edit: toNumbers },
    { icon: QuoteIcon, label: t('Quote'), edit: toQuote },
    { icon: CodeIcon, label: t('Code'), shortcut: composeShortcuts.code, edit: toCode },
    { icon: SpoilerIcon, label: t('Spoiler'), edit: spoiler(t('Title of the spoiler')) },
    { icon: FormulaIcon, label: t('Formula'), edit: toFormula },
  ];
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
    const tool = toolsNow().find((one) => one.label === label);
    if (tool !== undefined) applyEdit(latest.current, tool.edit);
  }, []);
  return toolsNow().map(({ icon, label, shortcut }) => (
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

/** The same as a menu, for narrow boxes. */
export function FormatMenu({ text }: { readonly text: BoxText }): ReactNode {
  return (
    <MoreMenu label={t('Formatting')} icon={HeadingIcon} placement="top start">
      {toolsNow().map(({ icon, label, edit }) => (
        <MenuItem key={label} icon={icon} onAction={() => requestAnimationFrame(() => applyEdit(text, edit))}>
          {label}
        </MenuItem>
      ))}
    </MoreMenu>
  );
}

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
  useShortcut(composeShortcuts.link, () => run(link({ text: t('text of the link'), url: 'https://' })));
}
