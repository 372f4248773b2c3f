import type { ReactNode } from 'react';
import { t } from '../base/i18n.ts';
import { HelpIcon } from '../design/icons.ts';
import { ColumnHeader } from '../frame/frame-header.tsx';
import styles from './help.module.css';
import { HELP_PAGES, HelpLinks } from './help-links.tsx';

interface HelpPageProps {
  readonly current: (typeof HELP_PAGES)[number][0];
  readonly intro?: string;
  readonly children: ReactNode;
}

/** A page of the help, with links to the others. */
export function HelpPage({ current, intro, children }: HelpPageProps): ReactNode {
  const title = HELP_PAGES.find(([view]) => view === current)?.[1];
  return (
    <>
      <ColumnHeader
        column="main"
        leading={<HelpIcon aria-hidden="true" className={styles.icon} />}
        title={title === undefined ? '' : t(title)}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className={styles.page} tabIndex={0} aria-label={title === undefined ? '' : t(title)}>
        <HelpLinks current={current} />
        {intro !== undefined && <p className={styles.intro}>{intro}</p>}
        {children}
      </section>
    </>
  );
}
