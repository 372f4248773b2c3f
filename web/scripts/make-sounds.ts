/**
 * Makes sounds of notifications, from formulas of our own, so that no license applies but ours:
 * `scripts/node web/scripts/make-sounds.ts`. The files are in the repository, because they never change.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SAMPLES_PER_SECOND = 22_050;
const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;
/** Half of the range, as loud as the other sounds. */
const PEAK_VALUE = 16_383;
/** A sound that begins or ends at once clicks; in seconds. */
const FADE_SECONDS = 0.004;
const FOLDER = join(import.meta.dirname, '../src/notifications/sounds');

/** The value at a time in seconds. */
type Wave = (time: number) => number;

const tone = (hertz: number, time: number) => Math.sin(2 * Math.PI * hertz * time);

/** A struck bar: its partials fade, the high ones sooner. */
function bar(hertz: number, begin: number, fade: number): Wave {
  return (time) => {
    const since = time - begin;
    if (since < 0) return 0;
    const partials = [1, 2.76, 5.4].map(
      (factor, index) => tone(hertz * factor, since) * 0.4 ** index * Math.exp(-since * fade * factor),
    );
    return partials.reduce((sum, one) => sum + one, 0);
  };
}

/** A knuckle on wood. */
function knock(begin: number): Wave {
  return (time) => {
    const since = time - begin;
    if (since < 0) return 0;
    return tone(190 - 300 * since, since) * Math.exp(-since * 38) + 0.3 * tone(870, since) * Math.exp(-since * 90);
  };
}

/** A drop of water: its tone rises. */
const drop: Wave = (time) => Math.sin(2 * Math.PI * (520 * time + 1500 * time * time)) * Math.exp(-time * 11);

/** A plucked string: overtones, which fade in the order of their height. */
const pluck: Wave = (time) =>
  [1, 2, 3, 4, 5, 6].reduce((sum, n) => sum + (tone(329.63 * n, time) / n) * Math.exp(-time * (3.5 + 2.2 * n)), 0);

const SOUNDS: Readonly<Record<string, { readonly seconds: number; readonly waves: readonly Wave[] }>> = {
  chime: { seconds: 0.9, waves: [bar(1046.5, 0, 4), bar(1568, 0.14, 4)] },
  drop: { seconds: 0.4, waves: [drop] },
  knock: { seconds: 0.45, waves: [knock(0), knock(0.17)] },
  pluck: { seconds: 0.8, waves: [pluck] },
};

for (const [name, { seconds, waves }] of Object.entries(SOUNDS)) {
  const count = Math.round(seconds * SAMPLES_PER_SECOND);
  const samples = Array.from({ length: count }, (_, index) => {
    const time = index / SAMPLES_PER_SECOND;
    const fade = Math.min(1, time / FADE_SECONDS, (seconds - time) / (10 * FADE_SECONDS));
    return fade * waves.reduce((sum, wave) => sum + wave(time), 0);
  });
  const loudest = Math.max(...samples.map(Math.abs));
  writeFileSync(join(FOLDER, `${name}.wav`), wav(samples.map((sample) => Math.round((sample / loudest) * PEAK_VALUE))));
}

/** A file with one channel of 16 bits. */
function wav(samples: readonly number[]): Buffer {
  const size = samples.length * BYTES_PER_SAMPLE;
  const file = Buffer.alloc(HEADER_BYTES + size);
  file.write('RIFF', 0);
  file.writeUInt32LE(HEADER_BYTES - 8 + size, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  file.writeUInt32LE(SAMPLES_PER_SECOND * BYTES_PER_SAMPLE, 28);
  file.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  file.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  file.write('data', 36);
  file.writeUInt32LE(size, 40);
  for (const [index, sample] of samples.entries()) file.writeInt16LE(sample, HEADER_BYTES + index * BYTES_PER_SAMPLE);
  return file;
}
