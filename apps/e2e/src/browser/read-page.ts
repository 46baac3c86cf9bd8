import type { Page } from 'playwright-core';
import { findings, scrollsSideways, smallTargets } from './check-page';
import { pictureOf } from './open-browser';

const WIDTHS = [320, 390, 768, 1280];

export interface Tab {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/**
 * Checks the page at every width and with double font size, for accessibility and size of targets. Stores a screenshot
 * of each width.
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
