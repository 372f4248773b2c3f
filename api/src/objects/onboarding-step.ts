import Type from 'typebox';

/** A notice that a client shows once. */
export const onboardingStep = Type.Object({
  type: Type.String({ description: '`one_time_notice`' }),
  name: Type.String(),
});
