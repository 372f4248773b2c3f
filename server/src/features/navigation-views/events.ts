import type { Presenter } from '../../directory/presenters.ts';
import type { NewEvent } from '../../log/event.ts';
import type { NavigationView } from './queries.ts';

/** The bodies of `navigation_view` events in the log. */
type NavigationViewEvent =
  | { readonly op: 'add'; readonly view: NavigationView }
  | {
      readonly op: 'update';
      readonly fragment: string;
      readonly data: Partial<Pick<NavigationView, 'is_pinned' | 'name'>>;
    }
  | { readonly op: 'remove'; readonly fragment: string };

/** The audience is only the owner of the view. */
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
