import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { useApp } from '../base/app.tsx';
import type { LightboxTarget } from './lightbox-target.ts';

/** What clicks in messages open. Each can be replaced by the part of the app that knows better. */
export interface ContentHandlers {
  /** Shows the card of a user beside `anchor`. Default: goes to the profile. */
  readonly openUser: (userId: number, anchor: HTMLElement) => void;
  /** Shows the card of a user group beside `anchor`. Default: goes to the page of the group. */
  readonly openGroup: (groupId: number, anchor: HTMLElement) => void;
  /** Shows a picture or film above everything. Without a handler, the link opens a tab. */
  readonly openLightbox: ((target: LightboxTarget) => void) | undefined;
}

const HandlersContext = createContext<Partial<ContentHandlers>>({});

/** Replaces handlers for all messages below. Handlers that are left out stay as they were. */
export function ContentHandlersProvider({
  children,
  ...handlers
}: Partial<ContentHandlers> & { readonly children: ReactNode }): ReactNode {
  const outer = useContext(HandlersContext);
  const { openUser = outer.openUser, openGroup = outer.openGroup, openLightbox = outer.openLightbox } = handlers;
  const value = useMemo<Partial<ContentHandlers>>(
    () => ({ ...(openUser && { openUser }), ...(openGroup && { openGroup }), ...(openLightbox && { openLightbox }) }),
    [openUser, openGroup, openLightbox],
  );
  return <HandlersContext value={value}>{children}</HandlersContext>;
}

export function useContentHandlers(): ContentHandlers {
  const { navigation } = useApp();
  const given = useContext(HandlersContext);
  return useMemo(
    () => ({
      openUser: given.openUser ?? ((userId) => navigation.go({ view: 'user', userId })),
      openGroup: given.openGroup ?? ((groupId) => navigation.go({ view: 'group', groupId })),
      openLightbox: given.openLightbox,
    }),
    [given, navigation],
  );
}
