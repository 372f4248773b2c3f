/** Programs in which a person writes and has read what they wrote; bots and integrations are not among them. */
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

/** Whether a message sent with this program starts as read for its sender, where the request does not say so. */
export function readsWhatItSends(client: string): boolean {
  const name = client.toLowerCase();
  return INTERACTIVE.has(name) || name.includes('desktop app');
}
