import type { Locator } from 'playwright-core';

/** Counts the dark pixels in each row of a PNG picture. The headline of Bangla letters is the longest dark line. */
const READ_ROWS = `async (png) => {
  const picture = new Image();
  picture.src = 'data:image/png;base64,' + png;
  await picture.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [picture.width, picture.height];
  const context = canvas.getContext('2d');
  context.drawImage(picture, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, picture.width, picture.height);
  const isDark = (at) => data[at] + data[at + 1] + data[at + 2] < 450;
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => 4 * (y * width + x)).filter(isDark).length);
}`;

/**
 * Distance between the middle of Bangla letters (from the headline to the lowest part) and the middle of their element,
 * as a part of its height. The element must have dark letters and a border of at most a tenth of its height.
 */
export async function offsetOfLetters(element: Locator): Promise<number> {
  const png = (await element.screenshot()).toString('base64');
  const rows = await element.page().evaluate<number[]>(`(${READ_ROWS})(${JSON.stringify(png)})`);
  const height = rows.length;
  const border = Math.ceil(height / 10);
  const inner = rows.slice(border, height - border);
  const sides = Math.min(...inner);
  const headline = inner.indexOf(Math.max(...inner));
  const lowest = inner.findLastIndex((dark) => dark > sides + 2);
  return ((headline + lowest) / 2 + border) / height - 0.5;
}
