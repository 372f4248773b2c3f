import type { Presenter } from '../../directory/presenters.ts';
import type { NewEvent } from '../../log/event.ts';
import type { NavigationView } from './queries.ts';

/** What `navigation_view` events carry in the log. */
type NavigationViewEvent =
  | { readonly op: 'add'; readonly view: NavigationView }
  | {
      readonly op: 'update';
      readonly fragment: string;
      readonly data: Partial<Pick<NavigationView, 'is_pinned' | 'name'>>;
    }
  | { readonly op: 'remove'; readonly fragment: string };

/** Only their user ever hears of views. */
export function navigationViewEvent(userId: number, body: NavigationViewEvent): NewEvent {
  return { type: 'navigation_view', audience: { to: 'users', users: [userId] }, body };
}

export const navigationViewPresenter: Presenter = {
  present(event) {
    const body = event.body as NavigationViewEvent;
    return body.op === 'add'
      ? { type: 'navigation_view', op: body.op, navigation_view: body.view }
      : { type: 'navigation_view', ...body };
  },
};
