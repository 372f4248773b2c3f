import { Fragment, type ReactNode } from 'react';
import { MenuItem, MenuSeparator } from '../design/menu.tsx';
import type { Command } from './command.ts';

/** Commands as items of a menu, with lines between their groups. */
export function commandItems(commands: readonly Command[]): ReactNode {
  return commands.map(({ id, label, icon, group, shortcut, refusal, isDanger, run }, index) => (
    <Fragment key={id}>
      {index > 0 && commands[index - 1]?.group !== group && <MenuSeparator />}
      <MenuItem
        id={id}
        icon={icon}
        onAction={run}
        isDisabled={refusal !== undefined}
        {...(refusal !== undefined && { detail: refusal })}
        {...(shortcut && { shortcut })}
        {...(isDanger && refusal === undefined && { isDanger })}
      >
        {label}
      </MenuItem>
    </Fragment>
  ));
}
