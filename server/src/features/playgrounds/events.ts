import type { Presenter } from '../../directory/presenters.ts';
import type { PlaygroundRecord } from '../../directory/records.ts';
import { presentPlayground } from './queries.ts';

/** The bodies of `realm_playgrounds` events in the log: all playgrounds. */
export interface PlaygroundsBody {
  readonly playgrounds: readonly PlaygroundRecord[];
}

export const playgroundsPresenter: Presenter = {
  present({ body }) {
    const { playgrounds } = body as PlaygroundsBody;
    return { type: 'realm_playgrounds', realm_playgrounds: playgrounds.map(presentPlayground) };
  },
};
