import type { AnchorHTMLAttributes, ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import type { Route } from '../base/routes.ts';

export interface RouteLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  to: Route;
  /** Whether the app shows this route now. */
  isCurrent?: boolean;
}

/**
 * A link to a view of the app. The browser follows it itself, so that a new tab, the history and the column that covers a
 * phone's screen work as for any link.
 */
export function RouteLink({ to, isCurrent = false, children, ...props }: RouteLinkProps): ReactNode {
  const { navigation } = useApp();
  return (
    <a {...props} href={navigation.hashOf(to)} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  );
}
