import type { Feature } from '../feature.ts';
import { reloadPresenter, restartPresenter } from './events.ts';
import { VersionTeller } from './running.ts';

/** Queues outlive a restart, so clients are told where the server is another one after it. */
export const upgrades: Feature = {
  name: 'upgrades',
  presenters: { restart: restartPresenter, web_reload_client: reloadPresenter },
  runs: (rooms) => new VersionTeller(rooms),
};
