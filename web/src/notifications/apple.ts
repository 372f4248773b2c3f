/** Phones and tablets of Apple, whose browsers notify only from an installed app. */

/** Only their browsers have this property. It says whether the page is an installed app. */
export function isApple(): boolean {
  return 'standalone' in navigator && navigator.maxTouchPoints > 0;
}

export function isAppleApp(): boolean {
  return 'standalone' in navigator && navigator.standalone === true;
}
