import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs';
import { classes } from './classes.ts';
import styles from './tabs.module.css';

export interface TabOption<Key extends string> {
  readonly key: Key;
  readonly label: string;
  /** What stands after the label, for example a `Count`. */
  readonly mark?: ReactNode;
  readonly content: ReactNode;
}

export interface TabsProps<Key extends string> {
  /** The name of the tab list. */
  label: string;
  tabs: readonly TabOption<Key>[];
  value: Key;
  onChange: (key: Key) => void;
}

/** Parts of a view, of which one is visible. The arrow keys change it. */
export function Tabs<Key extends string>({ label, tabs, value, onChange }: TabsProps<Key>): ReactNode {
  return (
    <AriaTabs className={styles.tabs ?? ''} selectedKey={value} onSelectionChange={(key) => onChange(key as Key)}>
      <TabList aria-label={label} className={styles.list ?? ''}>
        {tabs.map((tab) => (
          <Tab key={tab.key} id={tab.key} className={styles.tab ?? ''}>
            {tab.label}
            {tab.mark}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.key} id={tab.key} className={classes(styles.panel)}>
          {tab.content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
