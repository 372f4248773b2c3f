import * as onboarding from '@heddle/api/endpoints/onboarding-steps.ts';
import { type AccessRow, row } from '../../testing/access/access-row.ts';

export const rows: readonly AccessRow[] = [
  row(onboarding.markOnboardingStepAsRead, 'always', '+++++b uuxu', () => ({ onboarding_step: 'intro_resolve_topic' })),
];
