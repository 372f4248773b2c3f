import type { ReactNode } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import type { Icon } from './icons.ts';
import styles from './segmented.module.css';

export interface SegmentedOption<Key extends string> {
  readonly key: Key;
  readonly label: string;
  readonly icon?: Icon;
}

export interface SegmentedProps<Key extends string> {
  /** The name of the choice. */
  label: string;
  options: readonly SegmentedOption<Key>[];
  value: Key;
  onChange: (key: Key) => void;
}

/** One choice of two to five, in a row: the filter or the form of a view. */
export function Segmented<Key extends string>({ label, options, value, onChange }: SegmentedProps<Key>): ReactNode {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const [key] = keys;
        if (key !== undefined) onChange(key as Key);
      }}
      className={styles.group ?? ''}
    >
      {options.map(({ key, label, icon: Icon }) => (
        <ToggleButton key={key} id={key} className={styles.option ?? ''}>
          {Icon && <Icon aria-hidden="true" />}
          {label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
