import { crc32, deflateSync } from 'node:zlib';
import type { BrowserContext } from 'playwright-core';

const MOST_COLOURS = 256;
const PALETTE = 3;

interface Indexed {
  readonly width: number;
  readonly height: number;
  readonly colours: readonly (readonly [number, number, number])[];
  /** One byte per pixel, in base64. */
  readonly pixels: string;
}

/** Converts a PNG to a palette of its most frequent colours, which makes it about a third of the size. */
export async function smallPicture(context: BrowserContext, png: Buffer): Promise<Buffer> {
  const page = await context.newPage();
  const { width, height, colours, pixels } = await page.evaluate<Indexed>(
    `(${INDEX})('data:image/png;base64,${png.toString('base64')}', ${MOST_COLOURS})`,
  );
  await page.close();
  const indexes = Buffer.from(pixels, 'base64');
  // Each row begins with its filter; 0 is none.
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.of(0), indexes.subarray(y * width, (y + 1) * width)]),
  );
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, PALETTE, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(colours.flat())),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

const INDEX = `async (url, most) => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const { width, height } = image;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const colourAt = (pixel) => (data[pixel * 4] << 16) | (data[pixel * 4 + 1] << 8) | data[pixel * 4 + 2];
  const uses = new Map();
  for (let pixel = 0; pixel < width * height; pixel += 1) uses.set(colourAt(pixel), (uses.get(colourAt(pixel)) ?? 0) + 1);
  const partsOf = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
  const kept = [...uses].sort((a, b) => b[1] - a[1]).slice(0, most).map(([colour]) => partsOf(colour));
  const distance = (one, other) => one.reduce((sum, part, index) => sum + (part - other[index]) ** 2, 0);
  const nearest = new Map([...uses.keys()].map((colour) => {
    const parts = partsOf(colour);
    const distances = kept.map((each) => distance(parts, each));
    return [colour, distances.indexOf(Math.min(...distances))];
  }));
  const pixels = Array.from({ length: width * height }, (_, pixel) => String.fromCharCode(nearest.get(colourAt(pixel))));
  return { width, height, colours: kept, pixels: btoa(pixels.join('')) };
}`;
