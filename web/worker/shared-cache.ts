/** The cache of what other apps have shared with this one (`web/src/base/shared.ts` reads it). */
export const SHARED_CACHE = 'heddle-shared';

export async function forgetShared(): Promise<void> {
  await caches.delete(SHARED_CACHE);
}
