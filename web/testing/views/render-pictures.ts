/** Reads SVGs by name as JSON from the standard input, and writes them as PNGs in Base64. */
import { json } from 'node:stream/consumers';
import sharp from 'sharp';

const svgs = (await json(process.stdin)) as Readonly<Record<string, string>>;
const pictures = await Promise.all(
  Object.entries(svgs).map(async ([name, svg]) => {
    const png = await sharp(Buffer.from(svg)).png({ compressionLevel: 9 }).toBuffer();
    return [name, png.toString('base64')];
  }),
);
process.stdout.write(JSON.stringify(Object.fromEntries(pictures)));
