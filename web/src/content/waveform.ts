/** Draws the waveforms of audio files above their players. It loads with the first player. */

/** Larger files keep a flat line: a waveform needs the whole file. */
const MAX_WAVEFORM_BYTES = 2 * 1024 * 1024;
const BARS_PER_WAVEFORM = 64;
const MAX_REMEMBERED_WAVEFORMS = 50;

/** The size of the drawing. It stretches to the width of the player. */
const DRAWING_HEIGHT_PIXELS = 24;
const DRAWING_WIDTH_PIXELS = BARS_PER_WAVEFORM * 4;

const SVG = 'http://www.w3.org/2000/svg';

/** The drawings by the addresses of their files. The server never changes a file. */
const known = new Map<string, Promise<string>>();

/** Decoding takes memory, so one file follows the other. */
let lastDecoding: Promise<unknown> = Promise.resolve();

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    observer.unobserve(target);
    if (target instanceof HTMLElement) void draw(target);
  }
});

/** Draws the waveform when the place for it becomes visible. */
export function showWaveform(place: HTMLElement): void {
  observer.observe(place);
}

async function draw(place: HTMLElement): Promise<void> {
  const audio = place.parentElement?.querySelector('audio');
  const href = audio?.getAttribute('src');
  if (!audio || !href) return;
  const path = await pathFor(href).catch(() => undefined);
  if (path === undefined) return;
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${DRAWING_WIDTH_PIXELS} ${DRAWING_HEIGHT_PIXELS}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  for (const name of ['waveform-all', 'waveform-played']) {
    const bars = document.createElementNS(SVG, 'path');
    bars.setAttribute('class', name);
    bars.setAttribute('d', path);
    svg.append(bars);
  }
  place.replaceChildren(svg);
  place.dataset.drawn = '';
  const show = () => {
    const part = audio.duration > 0 && Number.isFinite(audio.duration) ? audio.currentTime / audio.duration : 0;
    place.style.setProperty('--played', `${part * 100}%`);
  };
  for (const type of ['timeupdate', 'seeked', 'ended']) audio.addEventListener(type, show);
  // The player has the same for keyboards.
  place.addEventListener('click', ({ clientX }) => {
    const { left, width } = place.getBoundingClientRect();
    if (Number.isFinite(audio.duration)) audio.currentTime = ((clientX - left) / width) * audio.duration;
  });
}

function pathFor(href: string): Promise<string> {
  const found = known.get(href);
  if (found !== undefined) return found;
  const drawing = lastDecoding.then(async () => pathOf(peaksOf(await decoded(href))));
  lastDecoding = drawing.catch(() => known.delete(href));
  known.set(href, drawing);
  const [oldest] = known.keys();
  if (known.size > MAX_REMEMBERED_WAVEFORMS && oldest !== undefined) known.delete(oldest);
  return drawing;
}

async function decoded(href: string): Promise<Float32Array> {
  const response = await fetch(href, { credentials: 'same-origin' });
  const size = Number(response.headers.get('content-length'));
  if (!response.ok || !(size > 0) || size > MAX_WAVEFORM_BYTES) {
    await response.body?.cancel();
    throw new Error(`no waveform of ${size} bytes`);
  }
  const context = new OfflineAudioContext(1, 1, 8_000);
  return (await context.decodeAudioData(await response.arrayBuffer())).getChannelData(0);
}

/** The loudest sample of each part, from 0 to 1. */
function peaksOf(samples: Float32Array): readonly number[] {
  const length = Math.max(1, samples.length / BARS_PER_WAVEFORM);
  const peaks = Array.from({ length: BARS_PER_WAVEFORM }, (_, bar) => {
    let peak = 0;
    const end = Math.min(samples.length, Math.floor((bar + 1) * length));
    for (let index = Math.floor(bar * length); index < end; index++)
      peak = Math.max(peak, Math.abs(samples[index] ?? 0));
    return peak;
  });
  const loudest = Math.max(...peaks);
  return loudest === 0 ? peaks : peaks.map((peak) => peak / loudest);
}

function pathOf(peaks: readonly number[]): string {
  return peaks
    .map((peak, bar) => {
      const height = Math.max(1, peak * DRAWING_HEIGHT_PIXELS);
      return `M${bar * 4 + 0.5} ${(DRAWING_HEIGHT_PIXELS - height) / 2}h3v${height}h-3z`;
    })
    .join('');
}
