import Type from 'typebox';
import { onboardingStep } from '../objects/onboarding-step.ts';

export const onboardingStepsEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('onboarding_steps'),
  onboarding_steps: Type.Array(onboardingStep, { description: 'The remaining steps' }),
});
