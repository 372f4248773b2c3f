import type { Feature } from '../../extension/feature.ts';
import { reloadPresenter, restartPresenter } from './events.ts';
import { VersionTeller } from './running.ts';

/** Queues survive a restart. So clients are notified if the server is another one afterwards. */
export const upgrades: Feature = {
  presenters: { restart: restartPresenter, web_reload_client: reloadPresenter },
  runs: (app) => new VersionTeller(app),
};
