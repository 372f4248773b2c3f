import chime from './sounds/chime.wav?url';
import ding from './sounds/ding.wav?url';
import drop from './sounds/drop.wav?url';
import knock from './sounds/knock.wav?url';
import pluck from './sounds/pluck.wav?url';
import zulip from './sounds/zulip.wav?url';

/** The sounds that the API names. `web/scripts/make-sounds.ts` says where they come from. */
const SOUNDS: Readonly<Record<string, string>> = { chime, ding, drop, knock, pluck, zulip };

let last: HTMLAudioElement | undefined;

/** Plays a sound of `available_notification_sounds`. Nothing happens for `none`, or if the browser does not allow it yet. */
export function playSound(name: string): void {
  // Several messages at once make one sound.
  if (last === undefined || last.ended || last.paused) hearSound(name);
}

/** Plays a sound instead of the one that is played. */
export function hearSound(name: string): void {
  const url = SOUNDS[name];
  if (url === undefined) return;
  last?.pause();
  last = new Audio(url);
  last.play().catch(() => undefined);
}
