import type { Subscribable } from '@heddle/client/model/changes.ts';
import { merged } from '@heddle/client/model/merged.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { App } from '../../base/app.tsx';
import { type Message, msg, t } from '../../base/i18n.ts';
import type { Route } from '../../base/routes.ts';
import { draftsOf } from '../../compose/drafts/drafts.ts';
import {
  DraftIcon,
  FeedIcon,
  type Icon,
  InboxIcon,
  LinkIcon,
  MentionIcon,
  ReactIcon,
  RecentIcon,
  ReminderIcon,
  ScheduleIcon,
  StarIcon,
} from '../../design/icons.ts';

type Shared = Pick<App, 'model' | 'connection'>;

interface BuiltInView {
  /** The part of the URL after `#`, as all clients write it. */
  readonly fragment: string;
  readonly label: Message;
  readonly icon: Icon;
  readonly route: Route;
  /** Whether the sidebar shows the view if the user did not choose. */
  readonly isPinned: (model: Model) => boolean;
  /** What the view has. Unread messages if `isUnread`. */
  readonly count?: (app: Shared) => number;
  readonly isUnread?: boolean;
  readonly changes?: (app: Shared) => Subscribable;
}

const narrow = (operator: string, operand: string): Route => ({ view: 'narrow', narrow: [{ operator, operand }] });

export const BUILT_IN_VIEWS: readonly BuiltInView[] = [
  {
    fragment: 'inbox',
    label: msg('Inbox'),
    icon: InboxIcon,
    route: { view: 'inbox' },
    isPinned: () => true,
    isUnread: true,
    count: ({ model: { unread } }) => unread.count,
    changes: ({ model: { unread } }) => unread.changes,
  },
  {
    fragment: 'recent',
    label: msg('Recent conversations'),
    icon: RecentIcon,
    route: { view: 'recent' },
    isPinned: () => true,
  },
  { fragment: 'feed', label: msg('Combined feed'), icon: FeedIcon, route: { view: 'feed' }, isPinned: () => true },
  {
    fragment: 'narrow/is/mentioned',
    label: msg('Mentions'),
    icon: MentionIcon,
    route: narrow('is', 'mentioned'),
    isPinned: () => true,
    isUnread: true,
    count: ({ model: { unread } }) => unread.mentionCount,
    changes: ({ model: { unread } }) => unread.changes,
  },
  {
    fragment: 'narrow/has/reaction/sender/me',
    label: msg('Reactions to my messages'),
    icon: ReactIcon,
    route: {
      view: 'narrow',
      narrow: [
        { operator: 'has', operand: 'reaction' },
        { operator: 'sender', operand: 'me' },
      ],
    },
    isPinned: () => false,
  },
  {
    fragment: 'narrow/is/starred',
    label: msg('Starred messages'),
    icon: StarIcon,
    route: narrow('is', 'starred'),
    isPinned: () => true,
    count: ({ model: { starred, account } }) => (account.settings.starred_message_counts ? starred.count : 0),
    changes: ({ model: { starred, account } }) => merged(starred.changes, account.changes),
  },
  {
    fragment: 'drafts',
    label: msg('Drafts'),
    icon: DraftIcon,
    route: { view: 'drafts' },
    isPinned: () => true,
    count: (app) => draftsOf(app).list().length,
    changes: (app) => draftsOf(app).changes,
  },
  {
    fragment: 'scheduled',
    label: msg('Scheduled messages'),
    icon: ScheduleIcon,
    route: { view: 'scheduled' },
    isPinned: ({ scheduledMessages }) => scheduledMessages.soonestFirst.length > 0,
    count: ({ model: { scheduledMessages } }) => scheduledMessages.soonestFirst.length,
    changes: ({ model: { scheduledMessages } }) => scheduledMessages.changes,
  },
  {
    fragment: 'reminders',
    label: msg('Reminders'),
    icon: ReminderIcon,
    route: { view: 'reminders' },
    isPinned: ({ reminders }) => reminders.soonestFirst.length > 0,
    count: ({ model: { reminders } }) => reminders.soonestFirst.length,
    changes: ({ model: { reminders } }) => reminders.changes,
  },
];

/** A view as the sidebar and the menu show it. */
export interface ShownView {
  readonly fragment: string;
  readonly name: string;
  readonly icon: Icon;
  /** Undefined for a view of the user's own, which is only a link. */
  readonly builtIn: BuiltInView | undefined;
  readonly isPinned: boolean;
}

/** The views that do not depend on an account. */
const SPECTATOR_VIEWS: ReadonlySet<string> = new Set(['recent', 'feed']);

/** All views: the built-in ones, then the user's own. */
export function viewsOf(model: Model): readonly ShownView[] {
  const { navigationViews, account } = model;
  const offered = BUILT_IN_VIEWS.filter(({ fragment }) => !account.isSpectator || SPECTATOR_VIEWS.has(fragment));
  const builtIn = offered.map((view): ShownView => {
    const { fragment, label, icon } = view;
    const isPinned = navigationViews.isPinned(fragment) ?? view.isPinned(model);
    return { fragment, name: t(label), icon, builtIn: view, isPinned };
  });
  const fragments = new Set(builtIn.map(({ fragment }) => fragment));
  const own = [...navigationViews.all.values()]
    .filter(({ fragment }) => !fragments.has(fragment))
    .map(({ fragment, isPinned, name }): ShownView => {
      return { fragment, name: name ?? `#${fragment}`, icon: LinkIcon, builtIn: undefined, isPinned };
    });
  return [...builtIn, ...own];
}
