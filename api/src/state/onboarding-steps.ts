import Type from 'typebox';
import { onboardingStep } from '../objects/onboarding-step.ts';

export const onboardingStepsState = {
  onboarding_steps: Type.Optional(
    Type.Array(onboardingStep, { description: 'What the user has not been shown yet; empty for spectators' }),
  ),
  navigation_tour_video_url: Type.Optional(Type.Null({ description: 'There is no such video' })),
};
