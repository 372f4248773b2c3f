import type { Presenter } from '../../directory/presenters.ts';
import { type ServerIdentity, versionFields } from '../../version.ts';

export const restartPresenter: Presenter = {
  present({ body }) {
    const server = body as ServerIdentity;
    return { type: 'restart', ...versionFields(server), server_generation: server.generation };
  },
};

/** For clients that the server itself gives to browsers; others pass it over. */
export const reloadPresenter: Presenter = {
  // Clients wait for a while of their own, each another: they must not all come at once.
  present: () => ({ type: 'web_reload_client', immediate: false }),
};
