import type { onboardingStep } from '@heddle/api/objects/onboarding-step.ts';
import type { Static } from 'typebox';

type OnboardingStep = Static<typeof onboardingStep>;

/** The steps that clients show once, in the order of the public reference (`onboarding_steps`). */
const STEPS: readonly OnboardingStep[] = [
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
].map((name) => ({ type: 'one_time_notice', name }));

/**
 * Steps that clients may report as seen, and that this server never lists:
 *
 * - a notice for accounts from before topics were followed automatically
 * - a video that this server does not have
 * - steps of the reference's own web client, whose type `one_time_action` the public reference does not name. Clients that decode strictly
 *   would refuse the whole initial state.
 */
const NEVER_LEFT = ['visibility_policy_banner', 'navigation_tour_video', 'narrow_to_dm_with_welcome_bot_new_user'];

const NAMES = new Set([...STEPS.map(({ name }) => name), ...NEVER_LEFT]);

export function isStep(name: string): boolean {
  return NAMES.has(name);
}

/** @param shown the names of seen steps */
export function stepsLeft(shown: readonly string[]): readonly OnboardingStep[] {
  return STEPS.filter(({ name }) => !shown.includes(name));
}
