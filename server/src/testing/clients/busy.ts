/** The response 503 on a busy machine: a lock was held for longer than its timeout, and nothing has changed. Clients try again. */
import { AssertionError } from 'node:assert';
import { until } from '../server/until.ts';

/** Whether the request of a test client was refused for that reason. */
export async function isBusy(request: Promise<unknown>): Promise<boolean> {
  return request.then(
    () => false,
    (error: unknown) => error instanceof AssertionError && error.actual === 503,
  );
}

/** Repeats the request until the server has time for it. */
export async function untilServed<Result>(request: () => Promise<Result>): Promise<Result> {
  const { served } = await until(async () => {
    const asked = request();
    return !(await isBusy(asked)) && { served: await asked };
  }, 'the server to have time for a request');
  return served;
}
