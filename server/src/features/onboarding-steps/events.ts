import type { Presenter } from '../../directory/presenters.ts';
import { stepsLeft } from './steps.ts';

/** What `onboarding_steps` events carry in the log. */
export interface OnboardingStepsEvent {
  /** The names of all that the user was shown. */
  readonly shown: readonly string[];
}

export const onboardingStepsPresenter: Presenter = {
  present: ({ body }) => ({
    type: 'onboarding_steps',
    onboarding_steps: stepsLeft((body as OnboardingStepsEvent).shown),
  }),
};
