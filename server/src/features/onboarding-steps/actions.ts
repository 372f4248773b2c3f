import { badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { OptimisticChange } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { OnboardingStepsEvent } from './events.ts';
import { isStep } from './steps.ts';

/**
 * Stores that the user has seen a step, once, and notifies their clients of the remaining ones.
 * @throws ApiError `BAD_REQUEST`: no such step
 */
export async function markShown({ db, directory, append }: OptimisticChange, user: UserRecord, step: string) {
  if (!isStep(step)) throw badRequest(`Unknown onboarding_step: ${step}`);
  const { shown } = await db
    .insertInto('onboarding_steps')
    .values({ organization_id: directory.organization.id, user_id: user.id, shown: [step] })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'user_id']).doUpdateSet({
        shown: sql`CASE WHEN ${step} = ANY (onboarding_steps.shown) THEN onboarding_steps.shown
                        ELSE onboarding_steps.shown || excluded.shown END`,
      }),
    )
    .returning('shown')
    .executeTakeFirstOrThrow();
  const body: OnboardingStepsEvent = { shown };
  append({ type: 'onboarding_steps', audience: { to: 'users', users: [user.id] }, body });
}
