import type { ReactNode } from 'react';
import { type Message, msg, t } from '../base/i18n.ts';
import type { SimpleView } from '../base/routes.ts';
import { RouteLink } from '../shown/route-link.tsx';
import styles from './help-links.module.css';

/** The pages of the help, by their names in the URL. */
export const HELP_PAGES = [
  ['keyboard-shortcuts', msg('Keyboard shortcuts')],
  ['message-formatting', msg('Message formatting')],
  ['search-operators', msg('Search operators')],
] as const satisfies readonly (readonly [SimpleView, Message])[];

interface HelpLinksProps {
  readonly current?: string;
  /** Called when the user follows a link. */
  readonly onFollow?: () => void;
}

/** Links to the pages of the help. */
export function HelpLinks({ current, onFollow }: HelpLinksProps): ReactNode {
  return (
    <nav className={styles.links} aria-label={t('Help')}>
      {HELP_PAGES.map(([view, label]) => (
        <RouteLink key={view} to={{ view }} onClick={onFollow} isCurrent={view === current}>
          {t(label)}
        </RouteLink>
      ))}
    </nav>
  );
}
