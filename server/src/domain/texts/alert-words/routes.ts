import * as endpoints from '@heddle/api/endpoints/alert-words.ts';
import { type HeddleRoute, route } from '../../../extension/app-context.ts';
import { addAlertWords, removeAlertWords } from './actions.ts';
import { alertWordsPart } from './alert-words.ts';

export function alertWordRoutes(): readonly HeddleRoute[] {
  return [
    route(endpoints.getAlertWords, {}, async ({ organization, caller }) => ({
      alert_words: [...organization.directory.part(alertWordsPart).of(caller.id)],
    })),

    route(endpoints.addAlertWords, {}, async ({ parameters, organization, caller }) => ({
      alert_words: [
        ...(await organization.transact(caller, 'exclusive', (change, user) =>
          addAlertWords(change, user, parameters.alert_words),
        )),
      ],
    })),

    route(endpoints.removeAlertWords, {}, async ({ parameters, organization, caller }) => ({
      alert_words: [
        ...(await organization.transact(caller, 'exclusive', (change, user) =>
          removeAlertWords(change, user, parameters.alert_words),
        )),
      ],
    })),
  ];
}
