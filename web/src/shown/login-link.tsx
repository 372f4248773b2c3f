import type { ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import { useChanges } from '../base/use-changes.ts';

interface LoginLinkProps {
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** Leads to the login page, and from there back to the view that is shown now. */
export function LoginLink({ className, children }: LoginLinkProps): ReactNode {
  const { navigation } = useApp();
  useChanges(navigation.changes);
  return (
    <a className={className} href={`/login/?next=%2F${window.location.hash}`}>
      {children}
    </a>
  );
}
