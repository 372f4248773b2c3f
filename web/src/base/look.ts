/** How this browser shows the app. The API has no setting for it, so it belongs to the browser, like the widths of the columns. */

export const DENSITIES = ['comfortable', 'compact'] as const;
/** The first one is that of the tokens (`design/tokens.css`). */
export const ACCENTS = ['indigo', 'violet', 'teal', 'green', 'rose'] as const;

export interface Look {
  readonly density: (typeof DENSITIES)[number];
  readonly accent: (typeof ACCENTS)[number];
}

/** `early.ts` reads this entry before the first paint. */
const STORAGE_KEY = 'heddle-look';

/** What the page shows now. */
export function currentLook(): Look {
  const { density, accent } = document.documentElement.dataset;
  return {
    density: DENSITIES.find((one) => one === density) ?? DENSITIES[0],
    accent: ACCENTS.find((one) => one === accent) ?? ACCENTS[0],
  };
}

/** Shows the app in another look, now and at the next visits. */
export function changeLook(change: Partial<Look>): void {
  const next = { ...currentLook(), ...change };
  Object.assign(document.documentElement.dataset, next);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  } catch {
    // The choice holds until the page is closed.
  }
}
