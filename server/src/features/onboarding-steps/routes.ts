import * as endpoints from '@heddle/api/endpoints/onboarding-steps.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { type HeddleRoute, route } from '../../extension/app-context.ts';
import { markShown } from './actions.ts';

export function onboardingStepRoutes(): readonly HeddleRoute[] {
  return [
    route(endpoints.markOnboardingStepAsRead, {}, async ({ parameters, organization, caller }) => {
      if (caller.isBot) throw badRequest('This endpoint does not accept bot requests.');
      await organization.transact(caller, 'optimistic', (change, user) =>
        markShown(change, user, parameters.onboarding_step),
      );
      return {};
    }),
  ];
}
