import type { Presenter } from '../../directory/presenters.ts';
import type { LinkifierRecord } from '../../directory/records.ts';
import { presentLinkifier } from './present.ts';

/** What `realm_linkifiers` events carry in the log: all of them. */
export interface LinkifiersBody {
  readonly linkifiers: readonly LinkifierRecord[];
}

/** Clients without the capability know no URL templates: they are told of no linkifiers. */
export const linkifiersPresenter: Presenter = {
  wants: (_, { settings }) => settings.capabilities.linkifierUrlTemplate,
  present({ body }) {
    const { linkifiers } = body as LinkifiersBody;
    return { type: 'realm_linkifiers', realm_linkifiers: linkifiers.map(presentLinkifier) };
  },
};
