import { ofConsenting } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { statePart } from '../../extension/initial-state.ts';
import { onboardingStepsPresenter } from './events.ts';
import { selectShownSteps } from './queries.ts';
import { onboardingStepRoutes } from './routes.ts';
import { stepsLeft } from './steps.ts';

const state = statePart<readonly string[]>({
  types: ['onboarding_steps'],
  select: ({ organizationId, userId }) => selectShownSteps(organizationId, userId),
  build: (_, shown) => ({ onboarding_steps: stepsLeft(shown), navigation_tour_video_url: null }),
  spectators: { build: () => ({ onboarding_steps: [], navigation_tour_video_url: null }) },
});

export const onboardingSteps: Feature = {
  routes: onboardingStepRoutes,
  state: () => [state],
  presenters: { onboarding_steps: onboardingStepsPresenter },
  exports: [
    {
      table: 'onboarding_steps',
      fields: ['user_id', 'shown'],
      rows: ofConsenting,
    },
  ],
};
