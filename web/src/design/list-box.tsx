import type { ReactNode } from 'react';
import { Header } from 'react-aria-components/Header';
import { ListBox as AriaListBox, Collection, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox';
import { t } from '../base/i18n.ts';
import { CheckIcon } from './icons.ts';
import styles from './list-box.module.css';

/** An option of a list, a select or a picker. */
export interface Option<Key extends string = string> {
  readonly key: Key;
  /** The text that people read and type. */
  readonly label: string;
  /** A second line. */
  readonly detail?: string;
  /** An icon or avatar before the text. It is decoration. */
  readonly icon?: ReactNode;
  /** The heading of the options around it. Options of one group stand together. */
  readonly group?: string;
  readonly isDisabled?: boolean;
}

interface Props {
  options: readonly Option[];
  /** What an empty list says. */
  emptyText?: string;
  hasChecks?: boolean;
}

interface Group {
  readonly heading: string;
  readonly options: Option[];
}

/** The options of a select or picker, for components of this folder. */
export function OptionList({ options, emptyText, hasChecks = false }: Props): ReactNode {
  const groups = groupsOf(options);
  return (
    <AriaListBox
      className={styles.list ?? ''}
      renderEmptyState={() => <div className={styles.empty}>{emptyText ?? t('Nothing found')}</div>}
    >
      {groups === undefined
        ? options.map((option) => <OptionItem key={option.key} option={option} hasCheck={hasChecks} />)
        : groups.map((group) => (
            <ListBoxSection key={group.heading} id={`group ${group.heading}`}>
              <Header className={styles.heading ?? ''}>{group.heading}</Header>
              <Collection items={group.options.map((option) => ({ id: option.key, option }))}>
                {({ option }) => <OptionItem option={option} hasCheck={hasChecks} />}
              </Collection>
            </ListBoxSection>
          ))}
    </AriaListBox>
  );
}

/** The options by group, in the order of the first option of each. Undefined if no option has a group. */
function groupsOf(options: readonly Option[]): readonly Group[] | undefined {
  if (options.every(({ group }) => group === undefined)) return undefined;
  const groups = new Map<string, Group>();
  for (const option of options) {
    const heading = option.group ?? '';
    const group = groups.get(heading) ?? { heading, options: [] };
    group.options.push(option);
    groups.set(heading, group);
  }
  return [...groups.values()];
}

function OptionItem({ option, hasCheck }: { option: Option; hasCheck: boolean }): ReactNode {
  return (
    <ListBoxItem
      id={option.key}
      textValue={option.label}
      isDisabled={option.isDisabled ?? false}
      className={styles.option ?? ''}
    >
      {option.icon}
      <span className={styles.texts}>
        <span className={styles.label}>{option.label}</span>
        {option.detail && <span className={styles.detail}>{option.detail}</span>}
      </span>
      {hasCheck && <CheckIcon aria-hidden="true" className={styles.check} />}
    </ListBoxItem>
  );
}
