import type { Page } from 'playwright-core';
import { findings, scrollsSideways, smallTargets } from './check-page';
import { pictureOf } from './open-browser';

const WIDTHS = [320, 390, 768, 1280];

export interface Tab {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/**
 * What is wrong with a page as it is now: at every width, with letters of double size, for a screen reader and for
 * thumbs, a line each. A picture of each width is kept.
 */
export async function faultsOf({ page, complaints }: Tab, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    if (await scrollsSideways(page)) faults.push(`${name} scrolls sideways at ${width}`);
    await page.screenshot({ path: pictureOf(`${name}-${width}`), fullPage: true });
  }
  await page.setViewportSize({ width: 390, height: 800 });
  faults.push(...(await findings(page)), ...(await smallTargets(page)));
  await page.setViewportSize({ width: 640, height: 800 });
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  if (await scrollsSideways(page)) faults.push(`${name} scrolls sideways with letters of double size`);
  await page.evaluate("document.documentElement.style.fontSize = ''");
  return [...faults, ...complaints];
}
