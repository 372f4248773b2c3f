import * as endpoints from '@heddle/api/endpoints/onboarding-steps.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = () => [
  attemptsOn(endpoints.markOnboardingStepAsRead, { contained: [{ onboarding_step: 'intro_resolve_topic' }] }),
];
