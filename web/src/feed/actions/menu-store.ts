import { Subject } from '@heddle/client/model/changes.ts';

export interface OpenedMenu {
  readonly messageId: number;
  /** A menu at a point of the window, in pixels, or a sheet for fingers. */
  readonly at: { readonly x: number; readonly y: number } | 'sheet';
}

/** The menu of a message. There is one for all messages, so that rows stay cheap. */
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
export function openMenuBeside(messageId: number, element: Element): void {
  const { left, bottom } = element.getBoundingClientRect();
  menuStore.set({ messageId, at: { x: left, y: bottom } });
}
