import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, required } from '../contract.ts';

export const markOnboardingStepAsRead = defineEndpoint({
  operationId: 'mark-onboarding-step-as-read',
  method: 'POST',
  path: '/users/me/onboarding_steps',
  area: 'Users',
  summary: 'Mark an onboarding step as seen',
  authentication: 'required',
  parameters: { onboarding_step: required(text({ maxLength: 100, description: 'The name of the step' })) },
  response: Type.Object({}),
  errors: [],
});
