import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import {
  Disclosure as AriaDisclosure,
  type DisclosureProps as AriaDisclosureProps,
  DisclosurePanel,
} from 'react-aria-components/Disclosure';
import { Heading } from 'react-aria-components/Heading';
import styles from './disclosure.module.css';
import { ChevronRightIcon } from './icons.ts';

export interface DisclosureProps
  extends Pick<AriaDisclosureProps, 'isExpanded' | 'defaultExpanded' | 'onExpandedChange'> {
  title: ReactNode;
  /** What stands at the end of the heading, outside of its button: a `Count` or an `IconButton`. */
  aside?: ReactNode;
  /** The level of the heading in the outline of the page. */
  level?: 2 | 3 | 4;
  children: ReactNode;
}

/** A section that collapses. Closed content stays findable by the browser's search. */
export function Disclosure({ title, aside, level = 3, children, ...props }: DisclosureProps): ReactNode {
  return (
    <AriaDisclosure {...props} className={styles.disclosure ?? ''}>
      <div className={styles.header}>
        <Heading level={level} className={styles.heading ?? ''}>
          <Button slot="trigger" className={styles.trigger ?? ''}>
            <ChevronRightIcon aria-hidden="true" className={styles.chevron} />
            <span className={styles.title}>{title}</span>
          </Button>
        </Heading>
        {aside}
      </div>
      <DisclosurePanel>{children}</DisclosurePanel>
    </AriaDisclosure>
  );
}
