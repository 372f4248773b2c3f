import { type ClosedLoopParameters, type ClosedLoopResult, closedLoop } from './closed-loop.ts';
import type { LoadContext } from './load.ts';

export interface TwoCrowdsParameters extends Omit<ClosedLoopParameters, 'requests'> {
  readonly first: ClosedLoopParameters['requests'];
  readonly second: ClosedLoopParameters['requests'];
}

export interface TwoCrowdsResult {
  readonly first: ClosedLoopResult;
  readonly second: ClosedLoopResult;
}

/** Two concurrent closed loops with separate results. */
export async function twoCrowds(
  { first, second, ...common }: TwoCrowdsParameters,
  context: LoadContext,
): Promise<TwoCrowdsResult> {
  const results = await Promise.all([first, second].map((requests) => closedLoop({ ...common, requests }, context)));
  const [one, other] = results;
  if (one === undefined || other === undefined) throw new Error('two loops have two results');
  return { first: one, second: other };
}
