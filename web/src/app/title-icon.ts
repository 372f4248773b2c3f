/** The icon of the tab with a number on it. */

const SIZE = 64;
const MAX_SHOWN = 99;

let link: HTMLLinkElement | null | undefined;
let original: string | undefined;
let image: Promise<HTMLImageElement> | undefined;
let shown = '';

function load(url: string): Promise<HTMLImageElement> {
  const element = new Image(SIZE, SIZE);
  element.src = url;
  return element.decode().then(() => element);
}

/** Shows the number on the icon, or only the icon if it is 0. Keeps the icon as it is if the browser cannot draw it. */
export async function showIconCount(count: number): Promise<void> {
  const text = count === 0 ? '' : count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count);
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
  canvas.width = SIZE;
  canvas.height = SIZE;
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  context.drawImage(icon, 0, 0, SIZE, SIZE);
  const height = 36;
  const width = text.length === 1 ? height : text.length === 2 ? 48 : SIZE;
  context.beginPath();
  context.roundRect(SIZE - width, SIZE - height, width, height, height / 2);
  context.fillStyle = '#d3261b';
  context.fill();
  context.fillStyle = '#ffffff';
  context.font = '700 28px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(text, SIZE - width / 2, SIZE - height / 2 + 2, width - 8);
  return canvas.toDataURL('image/png');
}
