import ding from './sounds/ding.wav?url';
import zulip from './sounds/zulip.wav?url';

/** The sounds that the API names. */
const SOUNDS: Readonly<Record<string, string>> = { ding, zulip };

let last: HTMLAudioElement | undefined;

/** Plays a sound of `available_notification_sounds`. Nothing happens for `none`, or if the browser does not allow it yet. */
export function playSound(name: string): void {
  const url = SOUNDS[name];
  if (url === undefined) return;
  // Several messages at once make one sound.
  if (last !== undefined && !last.ended && !last.paused) return;
  last = new Audio(url);
  last.play().catch(() => undefined);
}
