import type { ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import { useChanges } from '../base/use-changes.ts';

interface LoginLinkProps {
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** The login page, which leads back to the view in the address of this page. */
export function loginAddress(): string {
  return `/login/?next=%2F${window.location.hash}`;
}

/** Leads to the login page, and from there back to the view that is shown now. */
export function LoginLink({ className, children }: LoginLinkProps): ReactNode {
  const { navigation } = useApp();
  useChanges(navigation.changes);
  return (
    <a className={className} href={loginAddress()}>
      {children}
    </a>
  );
}
