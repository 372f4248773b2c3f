import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, required } from '../contract.ts';

export const markOnboardingStepAsRead = defineEndpoint({
  operationId: 'mark-onboarding-step-as-read',
  method: 'POST',
  path: '/users/me/onboarding_steps',
  area: 'Users',
  summary: 'Say that the caller was shown an onboarding step',
  authentication: 'required',
  parameters: { onboarding_step: required(text({ maxLength: 100, description: 'Its name' })) },
  response: Type.Object({}),
  errors: [],
});
