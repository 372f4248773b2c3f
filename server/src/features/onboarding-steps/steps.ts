import type { onboardingStep } from '@heddle/api/objects/onboarding-step.ts';
import type { Static } from 'typebox';

type OnboardingStep = Static<typeof onboardingStep>;

/** What clients show people once, in the reference's order (public reference, `onboarding_steps`). */
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
 * Those that a client may say it has shown though nobody is asked to: a notice for accounts from before topics were followed by
 * themselves, a video that there is not, and what only the reference's own web client does, whose `one_time_action` is no type that
 * the public reference names: clients that decode strictly would refuse the whole initial state.
 */
const NEVER_LEFT = ['visibility_policy_banner', 'navigation_tour_video', 'narrow_to_dm_with_welcome_bot_new_user'];

const NAMES = new Set([...STEPS.map(({ name }) => name), ...NEVER_LEFT]);

export function isStep(name: string): boolean {
  return NAMES.has(name);
}

/** @param shown names */
export function stepsLeft(shown: readonly string[]): readonly OnboardingStep[] {
  return STEPS.filter(({ name }) => !shown.includes(name));
}
