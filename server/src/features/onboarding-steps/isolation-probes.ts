import * as endpoints from '@heddle/api/endpoints/onboarding-steps.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = () => [
  probesOf(endpoints.markOnboardingStepAsRead, { contained: [{ onboarding_step: 'intro_resolve_topic' }] }),
];
