/** The print does not wait longer for slow pictures. */
const PICTURES_TIMEOUT_MS = 10_000;

/** Loads all pictures, also those that the browser loads only when they become visible. Resolves when they are there, or after ten seconds. */
export async function picturesLoaded(root: HTMLElement): Promise<void> {
  const loads = [...root.querySelectorAll('img')].map((image) => {
    image.loading = 'eager';
    return image.decode().catch(() => undefined);
  });
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, PICTURES_TIMEOUT_MS);
  await Promise.race([Promise.all(loads), late.promise]);
  clearTimeout(timer);
}
