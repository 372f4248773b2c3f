import type { Model } from '@heddle/client/model/model.ts';

/** The introduction of the inbox, among the steps of the API. It is seen when the owner has hidden the checklist. */
export const CHECKLIST_STEP = 'intro_inbox_view_modal';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Later, an organization is not new any more. */
const MAX_AGE_DAYS = 30;

/** Whether the inbox shows the first steps: to owners of new organizations who have not hidden them. */
export function showsChecklist({ account, organization }: Model): boolean {
  if (!account.isOwner || !account.onboardingSteps.some(({ name }) => name === CHECKLIST_STEP)) return false;
  return Date.now() - organization.settings.date_created * 1000 < MAX_AGE_DAYS * DAY_MS;
}
