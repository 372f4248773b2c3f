/** The icon of the tab with a number on it. */

const ICON_SIZE_PIXELS = 64;
const MAX_SHOWN_MENTIONS = 99;

let link: HTMLLinkElement | null | undefined;
let original: string | undefined;
let image: Promise<HTMLImageElement> | undefined;
let shown = '';

function load(url: string): Promise<HTMLImageElement> {
  const element = new Image(ICON_SIZE_PIXELS, ICON_SIZE_PIXELS);
  element.src = url;
  return element.decode().then(() => element);
}

/** Shows the number on the icon, or only the icon if it is 0. Keeps the icon as it is if the browser cannot draw it. */
export async function showIconCount(count: number): Promise<void> {
  const text = count === 0 ? '' : count > MAX_SHOWN_MENTIONS ? `${MAX_SHOWN_MENTIONS}+` : String(count);
  if (text === shown) return;
  shown = text;
  link ??= document.querySelector<HTMLLinkElement>('link[rel~=icon]');
  if (link === null || link === undefined) return;
  original ??= link.href;
  if (text === '') {
    link.href = original;
    return;
  }
  try {
    image ??= load(original);
    const url = draw(await image, text);
    // Another number can be shown by now.
    if (shown === text && url !== undefined) link.href = url;
  } catch {
    image = undefined;
  }
}

function draw(icon: HTMLImageElement, text: string): string | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = ICON_SIZE_PIXELS;
  canvas.height = ICON_SIZE_PIXELS;
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  context.drawImage(icon, 0, 0, ICON_SIZE_PIXELS, ICON_SIZE_PIXELS);
  const height = 36;
  const width = text.length === 1 ? height : text.length === 2 ? 48 : ICON_SIZE_PIXELS;
  context.beginPath();
  context.roundRect(ICON_SIZE_PIXELS - width, ICON_SIZE_PIXELS - height, width, height, height / 2);
  context.fillStyle = '#d3261b';
  context.fill();
  context.fillStyle = '#ffffff';
  context.font = '700 28px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(text, ICON_SIZE_PIXELS - width / 2, ICON_SIZE_PIXELS - height / 2 + 2, width - 8);
  return canvas.toDataURL('image/png');
}
