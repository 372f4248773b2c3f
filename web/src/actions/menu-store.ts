import { Subject } from '@heddle/client/model/changes.ts';
import type { TopicPlace } from '@heddle/client/model/messages/places.ts';

/** What the menu is about. */
export type MenuTarget =
  | { readonly kind: 'message'; readonly messageId: number }
  | { readonly kind: 'topic'; readonly place: TopicPlace }
  | { readonly kind: 'channel'; readonly channelId: number };

export interface OpenedMenu {
  readonly subject: MenuTarget;
  /** A menu at a point of the window, in pixels, or a sheet for fingers. */
  readonly at: { readonly x: number; readonly y: number } | 'sheet';
}

/** The menu of a message, topic or channel. There is one for the app, so that rows stay cheap. */
class MenuStore {
  readonly changes = new Subject();
  opened: OpenedMenu | undefined;

  set(opened: OpenedMenu | undefined): void {
    this.opened = opened;
    this.changes.changed();
  }
}

export const menuStore = new MenuStore();

/** Opens the menu below an element, for example its button. */
export function openMenuBeside(subject: MenuTarget, element: Element): void {
  const { left, bottom } = element.getBoundingClientRect();
  menuStore.set({ subject, at: { x: left, y: bottom } });
}
