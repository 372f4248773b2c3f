import { notExported } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { webPushRoutes } from './routes.ts';
import { webPushOf } from './running.ts';
import { webPushState } from './state.ts';

export const webPush: Feature = {
  routes: webPushRoutes,
  state: (app) => [webPushState(webPushOf(app).identity)],
  runs: webPushOf,
  backlogs: { 'web-push': 'web_push_notifications' },
  exports: [
    ...notExported(
      'browsers that receive notifications of this server, which end with their sessions, and their notifications',
      'web_push_subscriptions',
      'web_push_notifications',
    ),
  ],
};
