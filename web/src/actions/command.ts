import type { PermissionResult } from '@heddle/client/model/permissions/permission-result.ts';
import type { Shortcut } from '../base/keyboard.ts';
import type { Icon } from '../design/icons.ts';
import { refusalText } from '../shown/refusal-text.ts';

/** Items of one group stand together in menus. */
export type CommandGroup = 'respond' | 'keep' | 'change' | 'inspect' | 'remove';

/** Something that the user can do with a message, a topic or a channel. */
export interface Command {
  readonly id: string;
  readonly label: string;
  readonly icon: Icon;
  readonly group: CommandGroup;
  readonly shortcut?: Shortcut;
  /** Why it is not possible. It is shown disabled then. */
  readonly refusal?: string | undefined;
  readonly isDanger?: boolean;
  readonly run: () => void;
}

/** Why a command is not possible. Undefined if it is. */
export function reasonOf(result: PermissionResult): string | undefined {
  return result.allowed ? undefined : refusalText(result);
}
