import Type from 'typebox';
import { onboardingStep } from '../objects/onboarding-step.ts';

export const onboardingStepsState = {
  onboarding_steps: Type.Optional(
    Type.Array(onboardingStep, { description: 'The steps that the user has not seen. Empty for spectators' }),
  ),
  navigation_tour_video_url: Type.Optional(Type.Null({ description: 'Always null: Heddle has no such video' })),
};
