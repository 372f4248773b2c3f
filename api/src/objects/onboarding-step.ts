import Type from 'typebox';

/** Something that a client shows a person once. */
export const onboardingStep = Type.Object({
  type: Type.String({ description: '`one_time_notice`' }),
  name: Type.String(),
});
