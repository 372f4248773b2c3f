import type { Presenter } from '../../directory/presenters.ts';
import { stepsLeft } from './steps.ts';

/** The bodies of `onboarding_steps` events in the log. */
export interface OnboardingStepsEvent {
  /** The names of all steps that the user has seen. */
  readonly shown: readonly string[];
}

export const onboardingStepsPresenter: Presenter = {
  present: ({ body }) => ({
    type: 'onboarding_steps',
    onboarding_steps: stepsLeft((body as OnboardingStepsEvent).shown),
  }),
};
