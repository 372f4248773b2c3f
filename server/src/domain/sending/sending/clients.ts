/** Programs that people write in: their users have read what they wrote. Bots and integrations are not among them. */
const INTERACTIVE = new Set([
  'website',
  'ios',
  'android',
  'snipe',
  'zulipandroid',
  'zulipios',
  'zulipdesktop',
  'zulipmobile',
  'zulipflutter',
  'zulipelectron',
  'zulipterminal',
]);

/** Whether a message from this program starts as read for its sender, if the request does not say so. */
export function readsWhatItSends(client: string): boolean {
  const name = client.toLowerCase();
  return INTERACTIVE.has(name) || name.includes('desktop app');
}
