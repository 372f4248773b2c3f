import type { Presenter } from '../../directory/presenters.ts';
import { type ServerIdentity, versionFields } from '../../version.ts';

export const restartPresenter: Presenter = {
  present({ body }) {
    const server = body as ServerIdentity;
    return { type: 'restart', ...versionFields(server), server_generation: server.generation };
  },
};

/** For web clients that the server itself delivers; others ignore it. */
export const reloadPresenter: Presenter = {
  // Each client waits for a random time, so that they do not all return at once.
  present: () => ({ type: 'web_reload_client', immediate: false }),
};
